import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../packages/salvo/src/cli/run-main.ts';
import type { Output } from '../../packages/salvo/src/cli/terminal/terminal.ts';
import { projectFixture } from '../project-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** Clears the screen, sets title and clipboard, recolours, turns text around, rings; in 7 and 8 bits. No slash, no NUL. */
const HOSTILE = '\u001b[2J\u001b]0;PWNED\u0007\u001b[31mred\u009b31m\u202emurt\u2066\u0008\u007f';
/** Whatever acts on a terminal or turns a text around. Outputs here have no colours of their own. */
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** What a command prints. */
async function shown(args: string[], cwd: string, env: Record<string, string> = {}) {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const output: Output = { write, isTTY: false, columns: 100, color: false };
  const { signal } = new AbortController();
  const terminal = { cwd, env, stdout: output, stderr: output, stop: signal, abort: signal };
  await runCommandLine(['node', 'salvo', ...args], terminal);
  return text;
}

const H = HOSTILE;

/** YAML may contain hardly any of these characters unless they are escaped. */
function escaped(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const MANIFEST = [{ id: 'V1', type: 'public_access', resource: 'aws_s3_bucket.logs', description: 'Open to all.' }];
const FINDING = { title: 'Open bucket', resource: 'aws_s3_bucket.logs', severity: 'high', description: 'Open.' };
const JUDGE = { type: 'scripted', script: { variants: [{ turns: [{ content: 'no scores' }] }] } };
const files = {
  's.yaml': sampleScenario(),
  'salvo.yaml': JSON.stringify({ adapters: { judge: JUDGE }, judge: { adapter: 'judge', model: 'm' } }),
  'labels.jsonl': JSON.stringify({ task: 't', response: 'r', passed: true }),
  'rubric.yaml': 'criteria: [{ name: kind, description: Is kind. }]\n',
  'red.json': JSON.stringify(MANIFEST),
  'blue.json': JSON.stringify([FINDING]),
};

describe('an argument of the command line that controls a terminal is shown harmless:', () => {
  test.each([
    [[H]],
    [[`--${H}`]],
    [['init', `${H}-dir`]],
    [['validate', H]],
    [['validate', '--format', H]],
    [['run', H]],
    [['run', 's.yaml', '--tag', H]],
    [['run', 's.yaml', '--adapter', H]],
    [['run', 's.yaml', '--model', H]],
    [['run', 's.yaml', '--model', H, '--estimate']],
    [['run', 's.yaml', '--seed', H]],
    [['run', 's.yaml', '--resume', H]],
    [['run', 's.yaml', '--junit', `${H}/`, '--csv', `s.yaml/${H}`]],
    [['report', H]],
    [['report', '--limit', H]],
    [['replay', H]],
    [['replay', 'latest', H]],
    [['reeval', H]],
    [['reeval', '--scenario', H]],
    [['judge-check', '--judge', H]],
    [['rank', H, 'latest']],
    [['rank', 'latest', `latest@${H}`]],
    [['judge-check', '--model', H, '--rubric', H]],
    [['calibrate', H, '--rubric', 'rubric.yaml']],
    [['calibrate', 'labels.jsonl', '--scenario', H]],
    [['calibrate', 'labels.jsonl', '--scenario', 's.yaml', '--assertion', H]],
    [['score', '--red', H, '--blue', 'blue.json']],
    [['score', '--red', 'red.json', '--blue', H]],
    [['score', '--red', 'red.json', '--blue', 'blue.json', '--tools', H]],
    [['score', '--red', 'red.json', '--blue', 'blue.json', '--clean', H]],
    [['score', '--red', 'red.json', '--blue', 'blue.json', '--source', H]],
    [['score', '--red', 'red.json', '--blue', 'blue.json', '--llm', H]],
    [['score', '--red', 'red.json', '--blue', 'blue.json', '--sarif', `${H}.json`, '--out', `s.yaml/${H}`]],
    [['export', H]],
    [['schema', H]],
    [['completion', H]],
    [['demo', '--keep', `s.yaml/${H}`]],
    [['tasks', H]],
    [['tasks', '--domain', H]],
    [['rules', H]],
    [['game', '--task', H]],
    [['game', '--red', H]],
    [['game', '--blue', H]],
    [['game', '--blue', `llm:${H}`]],
    [['game', '--category', H, '--strategy', 'targeted']],
    [['game', '--blue-command', `${H} {dir}`]],
    [['game', '--out', `s.yaml/${H}`]],
    [['scan', H]],
    [['scan', 's.yaml', '--sarif', `s.yaml/${H}`]],
    [['blue', H]],
    [['red', '--task', H, '--out', `s.yaml/${H}`]],
    [['experiment', H]],
    [['experiment', '--resume', H]],
    [['experiment', '--show', H]],
    [['bench-scanner', H, '--tasks', '1']],
  ])('%j', async (args) => {
    await using project = await projectFixture(files);
    await shown(['run', 's.yaml', '-n', '1'], project.root);
    const text = await shown(args, project.root, { GITHUB_STEP_SUMMARY: project.path(`s.yaml/${H}`) });
    expect(text).not.toBe('');
    expect(text).not.toContain('Internal error');
    expect([text, HARMFUL.exec(text)?.[0]]).toEqual([text, undefined]);
  });
});

describe('a file that controls a terminal is shown harmless:', () => {
  const label = (fields: object) => escaped({ task: 't', response: 'r', ...fields });
  const calibrate = ['calibrate', 'x', '--rubric', 'rubric.yaml'];
  const score = (blue: string, red = 'red.json') => ['score', '--red', red, '--blue', blue];
  test.each<[string, string, string[]]>([
    ['a label', label({ labels: { kind: H } }), calibrate],
    ['the name of a criterion', label({ labels: { [H]: 1 } }), calibrate],
    ['a verdict', label({ passed: H }), calibrate],
    ['a task', label({ task: H, response: H, passed: true, labels: { kind: 1 } }), calibrate],
    ['a scenario of a label', label({ scenario: H, labels: { kind: 1 } }), calibrate],
    ['a field', label({ [H]: 1, labels: { kind: 2 } }), calibrate],
    ['raw JSON lines', `{"task": "${H}\n${H}`, calibrate],
    [
      'a rubric',
      `criteria: [{ name: ${escaped(H)}, ${escaped(H)}: 1 }]`,
      ['calibrate', 'labels.jsonl', '--rubric', 'x.yaml'],
    ],
    ['a raw rubric', `${H}: [`, ['judge-check', '--rubric', 'x.yaml']],
    ['a manifest', escaped([{ id: H, type: H, resource: H, description: H, [H]: H }]), score('blue.json', 'x')],
    ['a raw manifest', `[${H}`, score('blue.json', 'x')],
    ['findings', escaped([{ title: H, resource: H, severity: H, description: H, [H]: H }]), score('x')],
    ['wrongly typed findings', escaped([{ title: 1, resource: { [H]: H }, severity: [H] }]), score('x')],
    ['raw findings', H, score('x')],
    ['clean resources', escaped([H, { [H]: H }]), [...score('blue.json'), '--clean', 'x']],
    ['a scenario', escaped({ prompt: H, adapter: H, [H]: H, assertions: [{ type: H }] }), ['validate', 'x.yaml']],
    ['a scenario for GitHub', escaped({ [H]: H }), ['validate', 'x.yaml', '--format', 'github']],
    ['a scenario as JSON', escaped({ [H]: H }), ['validate', 'x.yaml', '--format', 'json']],
    ['a raw scenario', `prompt: ${H}\n${H}: [`, ['run', 'x.yaml']],
    ['an experiment', escaped({ name: H, [H]: H, red: [H], blue: [H] }), ['experiment', 'x']],
    ['a raw experiment', `${H}: [`, ['experiment', 'x']],
    ['settings', escaped({ [H]: H, adapters: { [H]: { type: H } } }), ['adapters']],
    ['an adapter', escaped({ adapters: { [H]: { type: 'exec', command: H } } }), ['adapters']],
    ['a plugin', escaped({ plugins: [H] }), ['adapters']],
  ])('%s', async (_, content, args) => {
    const name = args.includes('adapters') ? 'salvo.yaml' : args.includes('x.yaml') ? 'x.yaml' : 'x';
    await using project = await projectFixture({ ...files, [name]: content });
    const written = args[0] === 'score' ? ['--markdown', 'out.md'] : [];
    const text = await shown([...args, ...written], project.root);
    const out = (await readdir(project.root)).filter((file) => file.startsWith('out.'));
    const reports = await Promise.all(out.map((file) => readFile(path.join(project.root, file), 'utf8')));
    for (const each of [text, ...reports]) {
      expect(each).not.toBe('');
      expect([each, HARMFUL.exec(each)?.[0]]).toEqual([each, undefined]);
    }
  });
});
