import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allRules } from '../../packages/salvo-arena/src/blue/rules/rules.ts';
import { gameSchema } from '../../packages/salvo-arena/src/game/game-document.ts';
import { findingSchema } from '../../packages/salvo-arena/src/match/claims/finding.ts';
import { vulnerabilitySchema } from '../../packages/salvo-arena/src/match/claims/vulnerability.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

const SEED = ['--seed', '7'];

async function textsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.sort().map(async (file) => [file, await readFile(file, 'utf8')] as const));
  return Object.fromEntries(texts.map(([file, text]) => [file.slice(folder.length + 1), text]));
}

/** A scanner that reports every bucket, whatever it is like. */
async function withScanner(files: Record<string, string> = {}): Promise<ProjectFixture & { command: string }> {
  const project = await projectFixture(files);
  const script = `
    const { readdirSync } = require('node:fs');
    const names = readdirSync(process.argv[2]);
    console.log(JSON.stringify(names.map((file) => ({ type: 'iam', resource: 'aws_x.y', severity: 'low', title: 'odd', file, line: 1 }))));
  `;
  await writeFile(project.path('scanner.cjs'), script);
  return { ...project, command: `${JSON.stringify(process.execPath)} ${project.path('scanner.cjs')} {dir}` };
}

describe('salvo game', () => {
  test('plays offline, and prints the winner, what became of every flaw, and the seed', async () => {
    await using project = await projectFixture();
    const { code, stdout, stderr } = await runCli(['game', ...SEED], { cwd: project.root });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Red mutation against Blue rules$/m);
    expect(stdout).toMatch(/^(?:Blue wins|Red wins|A draw): .*\d+ of \d+ flaws/m);
    expect(stdout).toMatch(/^Recall +\d+%/m);
    expect(stdout).toMatch(/^[✔✖] +V1 .* \S+\.tf:\d+$/m);
    expect(stdout).toMatch(/seed 7/);
    // Without --out, nothing is written.
    expect(await readdir(project.root)).toEqual([]);
  });

  test('writes a folder with everything, byte for byte the same for the same seed', async () => {
    await using project = await projectFixture();
    const play = (out: string) =>
      runCli(['game', ...SEED, '--out', out, '--json', '--language', 'cloudformation'], { cwd: project.root });
    const [first, second] = [await play('a'), await play('b/deeper')];
    expect([first.code, second.code]).toEqual([0, 0]);
    const [a, b] = [await textsOf(project.path('a')), await textsOf(project.path('b/deeper'))];
    const untimed = ({ 'game.json': game = '', ...rest }: Record<string, string>) => {
      return { ...rest, game: { ...JSON.parse(game), started_at: '', duration_seconds: 0, blue_seconds: 0 } };
    };
    expect(untimed(a)).toEqual(untimed(b));

    const game = gameSchema.parse(JSON.parse(a['game.json'] ?? ''));
    expect(game).toMatchObject({ status: 'scored', seed: 7, language: 'cloudformation', manifest_accuracy: 1 });
    expect(game.duration_seconds).toBeGreaterThan(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ game_id: game.game_id, gate: { status: 'passed' } });
    const manifest = JSON.parse(a['vulnerability_manifest.json'] ?? '');
    const vulnerabilities = vulnerabilitySchema.array().parse(manifest.vulnerabilities);
    expect(vulnerabilities).toHaveLength(game.claimed);
    expect(a['scored_manifest.json']).toBe(a['vulnerability_manifest.json']);
    expect(JSON.parse(a['phantom_manifest.json'] ?? '')).toMatchObject({ vulnerabilities: [] });
    const findings = findingSchema.array().parse(JSON.parse(a['findings.json'] ?? ''));
    const scores = JSON.parse(a['scores.json'] ?? '');
    expect(scores.true_positives + scores.false_positives).toBe(findings.length);
    expect(scores.recall).toBe(game.scores?.recall);
    for (const { file, line, evidence } of vulnerabilities) {
      const lines = (a[`code/${file}`] ?? '').split('\n');
      expect(lines.length).toBeGreaterThanOrEqual(line ?? Number.POSITIVE_INFINITY);
      expect(evidence).toBeTruthy();
    }
    expect(Object.keys(a).some((name) => name.startsWith('twin/'))).toBe(true);
  });

  test('can be scored again from its folder by salvo score', async () => {
    await using project = await projectFixture();
    await runCli(['game', ...SEED, '--out', 'g'], { cwd: project.root });
    const args = ['--red', 'g/scored_manifest.json', '--blue', 'g/findings.json', '--json'];
    const { stdout } = await runCli(['score', ...args], { cwd: project.root });
    const scores = JSON.parse(await readFile(project.path('g/scores.json'), 'utf8'));
    expect(JSON.parse(stdout)).toMatchObject({ recall: scores.recall, precision: scores.precision });
  });

  test('plays against any command that writes a report, and ends with 1 below a minimum', async () => {
    await using project = await withScanner();
    const args = ['game', ...SEED, '--blue-command', project.command, '--min-recall', '10%'];
    const { code, stdout } = await runCli(args, { cwd: project.root });
    expect(code).toBe(1);
    expect(stdout).toMatch(/Red wins: \d+ of \d+ flaws evaded/);
    expect(stdout).toMatch(/recall 0\.000 is below 0\.1/);
    expect(stdout).toMatch(/^False alarms \(\d+: 0 on clean resources\)/m);
  });

  test('a Blue that fails is no score: exit 3, and what Red made is kept without findings', async () => {
    await using project = await projectFixture();
    const args = ['game', ...SEED, '--blue-command', `${JSON.stringify(process.execPath)} none.cjs {dir}`];
    const { code, stdout } = await runCli([...args, '--out', 'g'], { cwd: project.root });
    expect(code).toBe(3);
    expect(stdout).toMatch(/Blue failed, and nothing was scored/);
    const kept = await readdir(project.path('g'));
    expect(kept).toContain('code');
    expect(kept).not.toContain('findings.json');
    expect(kept).not.toContain('scores.json');
    expect(gameSchema.parse(JSON.parse(await readFile(project.path('g/game.json'), 'utf8')))).toMatchObject({
      status: 'failed',
      failed_stage: 'blue',
      scores: null,
    });
  });

  test('without --task, tries another task when the requested flaws cannot be hidden in the first', async () => {
    await using project = await projectFixture();
    for (const seed of ['1', '2', '3']) {
      const run = await runCli(['game', '--seed', seed, '--category', 'metadata_service', '--json'], {
        cwd: project.root,
      });
      expect(run.code).toBe(0);
      const { scores, strategy } = JSON.parse(run.stdout);
      expect(strategy).toBe('targeted');
      const categories = scores.vulnerabilities.map(({ category }: { category: string }) => category);
      expect(new Set(categories)).toEqual(new Set(['metadata_service']));
    }
  });

  test('a Red that cannot play is no score: exit 3, and no folder', async () => {
    await using project = await projectFixture();
    const args = ['--task', 'three-zone-network', '--count', '100', '--size', '8', '--seed', '1', '--out', 'g'];
    const run = await runCli(['game', ...args], { cwd: project.root });
    expect(run.code).toBe(3);
    expect(run.stdout).toMatch(/Red failed, and nothing was scored/);
    expect(await readdir(project.root)).toEqual([]);
  });

  test.each([
    [['--blue', 'chekov'], /Did you mean "checkov"/],
    [['--red', 'mutations'], /There is no Red Team "mutations"/],
    [['--task', 'three-zone-netwrk'], /Did you mean "three-zone-network"/],
    [['--task', ' '], /The task is empty/],
    [['--strategy', 'targeted'], /--category/],
    [['--strategy', 'blitz', '--category', 'iam'], /is for the strategy targeted/],
    [['--category', 'encryption_at_rst'], /Did you mean "encryption_at_rest"/],
    [['--difficulty', 'extreme'], /Allowed choices/],
    [['--count', '0'], /whole number/],
    [['--blue-command', 'scan'], /\{dir\}/],
    [['--blue-command', 'scan {dir}', '--blue', 'rules'], /cannot be used with/],
    [['--mode', 'hybrid'], /needs a model/],
    [['--red', 'llm:gpt-5'], /OPENAI_API_KEY/],
    [['--blue', 'rules+llm:anthropic/claude-x'], /ANTHROPIC_API_KEY/],
    [['--blue', 'llm:m', '--adapter', 'unknown'], /no adapter "unknown"/],
    [['--verify', 'debate'], /OPENAI_API_KEY/],
    [['--out', 'used'], /which no game wrote/],
    [['--out', 'used/notes.txt'], /is a file/],
  ])('%j is wrong usage: exit 4 before anything is played', async (args, message) => {
    await using project = await projectFixture({ 'used/notes.txt': 'mine' });
    const { code, stdout, stderr } = await runCli(['game', ...SEED, ...args], { cwd: project.root });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  test('a model as Red: false claims are phantoms, and only true ones are scored', async () => {
    const files = [
      { name: 'main.tf', content: 'resource "aws_db_instance" "main" {\n  storage_encrypted = false\n}\n' },
    ];
    const flaw = { type: 'encryption', severity: 'high', technique: 'plain', file: 'main.tf', line: 2 };
    const vulnerabilities = [
      {
        ...flaw,
        id: 'V1',
        resource: 'aws_db_instance.main',
        attribute: 'storage_encrypted',
        description: 'The storage is not encrypted: storage_encrypted is false.',
        evidence: 'storage_encrypted = false',
      },
      { ...flaw, id: 'V2', resource: 'aws_s3_bucket.logs', description: 'The bucket is open.', evidence: 'acl = "x"' },
    ];
    const turn = { tool_calls: [{ name: 'hand_in_code', arguments: { files, vulnerabilities } }] };
    await using project = await projectFixture({
      'salvo.yaml': JSON.stringify({ adapters: { writer: { type: 'scripted', script: [turn] } } }),
    });
    const args = ['game', ...SEED, '--task', 'a database', '--red', 'llm:writer/m', '--out', 'g'];
    const { code, stdout, stderr } = await runCli(args, { cwd: project.root });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Blue wins: it found 1 of 1 flaw\.$/m);
    expect(stdout).toMatch(/^Phantoms: [^\n]*\n {2}◌ V2 /m);
    const idsIn = async (name: string) =>
      JSON.parse(await readFile(project.path(`g/${name}_manifest.json`), 'utf8')).vulnerabilities.map(
        ({ id }: { id: string }) => id,
      );
    expect(await idsIn('vulnerability')).toEqual(['V1', 'V2']);
    expect(await idsIn('scored')).toEqual(['V1']);
    expect(await idsIn('phantom')).toEqual(['V2']);
  });

  test('a model as Blue whose answer cannot be read is a failed game', async () => {
    const script = (turns: unknown[]) => ({ type: 'scripted', script: turns });
    await using project = await projectFixture({
      'salvo.yaml': JSON.stringify({
        adapters: { mute: script([{ content: 'I see nothing.' }, { content: 'Nothing.' }, { content: 'Really.' }]) },
      }),
    });
    const { code, stdout } = await runCli(['game', ...SEED, '--blue', 'llm:mute/m', '--json'], { cwd: project.root });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', failed_stage: 'blue', winner: null, findings: null });
  });

  test('has models decide unclear matches, and leaves open what they cannot decide', async () => {
    await using project = await withScanner({
      'salvo.yaml': JSON.stringify({
        adapters: {
          yes: {
            type: 'scripted',
            script: [
              { tool_calls: [{ name: 'score_criteria', arguments: { same_flaw: { reasoning: 'Both.', score: 1 } } }] },
            ],
          },
        },
      }),
    });
    const verify = ['--verify', 'debate', '--judge', 'yes', '--llm', 'm'];
    const run = await runCli(['game', ...SEED, ...verify, '--json', '--difficulty', 'hard'], { cwd: project.root });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(run.stdout).results.models).toMatchObject({ undecided: 0 });
  });
});

describe('salvo play', () => {
  test('needs a terminal: exit 4, and what to do without one', async () => {
    await using project = await projectFixture();
    const { code, stdout, stderr } = await runCli(['play'], { cwd: project.root });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/salvo game/);
  });
});

describe('salvo tasks and salvo rules', () => {
  test('browse the catalogues, by words and as JSON', async () => {
    await using project = await projectFixture();
    const run = (...args: string[]) => runCli(args, { cwd: project.root });
    const all = JSON.parse((await run('tasks', '--json')).stdout).tasks;
    expect(all).toHaveLength(126);
    const some = JSON.parse((await run('tasks', '--domain', 'payments', '--json')).stdout).tasks;
    expect(new Set(some.map(({ domain }: { domain: string }) => domain))).toEqual(new Set(['payments']));
    expect((await run('tasks', 'three-zone-network')).stdout).toMatch(/^Network across three zones$/m);
    expect(await run('tasks', '--domain', 'paymnts')).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/Did you mean "payments"/),
    });
    const rules = JSON.parse((await run('rules', '--json')).stdout).rules;
    expect(rules).toHaveLength(allRules().length);
    const about = await run('rules', 's3', 'earlier', 'versions');
    expect(about.stdout).toMatch(/Fix: /);
    expect(await run('rules', 'zeppelin')).toMatchObject({ code: 0, stderr: expect.stringMatching(/No rule/) });
  });
});
