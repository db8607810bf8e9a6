import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

const FILE = `prompts:
  - "Say {{word}}"
  - { name: loud, messages: [{ role: system, content: Shout. }, { role: user, content: "SAY {{word}}" }] }
  - { file: prompt.txt }
data:
  - { word: hello there }
  - { word: bye, assertions: [{ type: output_contains, value: bye }] }
trials: 1
adapter: scripted
script: [{ content: "You said {{word}}." }]
assertions: [{ type: output_contains, value: said }]
---
prompt: Hi
adapter: scripted
script: [{ content: Hello. }]
trials: 1
`;

const fixture = () =>
  projectFixture({ 'salvo.yaml': '', 'scenarios/say.yaml': FILE, 'scenarios/prompt.txt': 'Please say {{word}}.\n' });

test('prompts are compared in one table, are entries of one scenario in JSON, and can be resumed and judged again', async () => {
  await using project = await fixture();
  const run = await runCli(['run', 'say'], { cwd: project.root });
  expect(run.stdout).toMatch(/Prompt .*\nsay\n.*Say \{\{word\}\} .* 2\/2 .*\n.*loud .* 2\/2 .*\n.*prompt .* 2\/2/);
  expect(run.stdout).toContain('1 scenario × 3 prompts · 2 cases · 6 trials');
  const { scenarios, matrix } = JSON.parse((await runCli(['report', '--json'], { cwd: project.root })).stdout);
  expect(scenarios.map(({ name, prompt_of }: Record<string, unknown>) => [name, prompt_of])).toEqual([
    ['say [Say {{word}}]', { scenario: 'say', prompt: 'Say {{word}}' }],
    ['say [loud]', { scenario: 'say', prompt: 'loud' }],
    ['say [prompt]', { scenario: 'say', prompt: 'prompt' }],
  ]);
  expect(matrix.models.map(({ label }: { label: string }) => label)).toEqual(['Say {{word}}', 'loud', 'prompt']);
  expect((await runCli(['reeval', 'latest'], { cwd: project.root })).code).toBe(0);
  expect((await runCli(['compare'], { cwd: project.root })).code).toBe(0);
  const prompts = await runCli(['compare', 'latest@loud', 'latest@prompt'], { cwd: project.root });
  expect([prompts.code, prompts.stdout]).toEqual([0, expect.stringContaining('say')]);
  await project.write('scenarios/say.yaml', FILE.replace('prompt: Hi', 'prompt: Hello'));
  expect((await runCli(['run', '--resume', 'latest', '--quiet'], { cwd: project.root })).stderr).not.toContain(
    'changed',
  );
});

test('one case is run by its name, its number or the beginning of its first text; --grep has an exact form', async () => {
  await using project = await fixture();
  const cases = async (...args: string[]) => {
    const { stdout, stderr } = await runCli(['run', '--quiet', ...args, '--json'], { cwd: project.root });
    if (stdout === '') return stderr.trim();
    const { scenarios } = JSON.parse(stdout);
    return scenarios.map(({ name, cases: own }: { name: string; cases: { case: string }[] }) =>
      [name, ...own.map((each) => each.case)].join('/'),
    );
  };
  expect(await cases('say [loud]/2')).toEqual(['say [loud]/2']);
  expect(await cases('say [loud]/hello')).toEqual(['say [loud]/1']);
  expect(await cases('latest/say [loud]/2/1')).toEqual(['say [loud]/2']);
  expect(await cases('say [loud]/zzz')).toBe('say [loud] has no case "zzz". It has 1 (hello there), 2 (bye).');
  expect(await cases('--grep', '=bye', 'say [loud]')).toEqual(['say [loud]/2']);
  expect(await cases('--grep', '=by', 'say [loud]')).toContain('is named "by"');
});

test('a scenario without assertions is shown and not judged with --look, and cannot be scored without', async () => {
  await using project = await fixture();
  const look = await runCli(['run', 'say-2', '--look'], { cwd: project.root });
  expect([look.code, look.stdout]).toEqual([0, expect.stringMatching(/input +Hi\n.*output +Hello\.\n.*not judged/)]);
  expect(look.stdout).toContain('1 trace recorded, not judged');
  const without = await runCli(['run', 'say-2'], { cwd: project.root });
  expect([without.code, without.stdout]).toEqual([3, expect.stringContaining('run with --look')]);
});

test('what is wrong with prompts and documents has its place', async () => {
  await using project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/a.yaml':
      'prompts: ["{{q}}", { name: x, text: "{{nope}}" }, { name: x, text: a }]\ndata: [{ q: 1 }]\n---\nprompt: hi\nassertions: [{ type: nope }]\n---\nname: a-2\nprompt: b\n',
    'scenarios/b.yaml': 'prompts: [{ file: none.md }, { text: "" }]\nprompt: c\n',
    'scenarios/c.yaml': 'prompts: ["{{q}}", { name: y, text: "{{nope}}" }]\ndata: [{ q: 1 }]\n',
  });
  const { stdout } = await runCli(['validate'], { cwd: project.root });
  const places = [...stdout.matchAll(/^scenarios\/(\S+) error \[(\S+)\]/gm)].map(
    ([, place, code]) => `${place} ${code}`,
  );
  expect(places).toEqual([
    'a.yaml:1:59 duplicate-name',
    'a.yaml:5:22 unknown-assertion-type',
    'b.yaml:1:38 invalid-value',
    'b.yaml:2:1 conflicting-keys',
    'c.yaml:1:38 missing-column',
  ]);
});
