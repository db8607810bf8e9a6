import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';

const scenario = (more = '') =>
  `${more}prompt: hi\nadapter: scripted\nscript: [{ content: a }]\nassertions: [{ type: output_contains, value: a }]\n`;

describe('only: true', () => {
  const files = { 'a.yaml': scenario('# first\nonly: true\n'), 'b.yaml': scenario(), 'c.yaml': scenario() };

  test('is refused in CI, with its place', async () => {
    await using project = await projectFixture(files);
    for (const CI of ['true', '1', 'woodpecker']) {
      const refused = await runCli(['run', '.', '-n', '1'], { cwd: project.root, env: { CI } });
      expect(refused).toMatchObject({ code: 4, stdout: '' });
      expect(refused.stderr).toContain('a.yaml:2:7 error [only-in-ci]');
    }
    for (const CI of ['', 'false', '0']) {
      expect(await runCli(['run', '.', '-n', '1'], { cwd: project.root, env: { CI } })).toMatchObject({ code: 0 });
    }
  });

  test('is named elsewhere, with how many scenarios it left out, in every report', async () => {
    await using project = await projectFixture(files);
    const note = 'Only scenarios with `only: true` were run: 2 others left out.';
    const shown = await runCli(['run', '.', '-n', '1', '--junit', 'salvo.xml'], { cwd: project.root });
    expect(shown.stdout).toContain(note);
    expect(await readFile(project.path('salvo.xml'), 'utf8')).toContain(`name="note" value="${note}"`);
    const printed = await runCli(['run', '.', '-n', '1', '--json'], { cwd: project.root });
    expect(JSON.parse(printed.stdout).notes).toContain(note);
  });
});

describe('two scenarios with one name', () => {
  const files = {
    'a.yaml': scenario('name: m\n'),
    'sub/b.yaml': scenario('tags: [x]\nname: m\n'),
    'sub/c.yaml': scenario(),
  };

  test('are an error of validate and run that names both places', async () => {
    await using project = await projectFixture(files);
    const message =
      'sub/b.yaml:2:7 error [duplicate-name] there are two scenarios named "m": this one, and the one at a.yaml:1:7';
    const validated = await runCli(['validate', '.'], { cwd: project.root });
    expect(validated).toMatchObject({ code: 4, stdout: expect.stringContaining(message) });
    const run = await runCli(['run', '.', '-n', '1'], { cwd: project.root });
    expect(run).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('may be run apart, and with several models', async () => {
    await using project = await projectFixture(files);
    const run = await runCli(['run', '.', '--tag', 'x', '-n', '1', '--models', 'one,two', '--json'], {
      cwd: project.root,
    });
    expect(documentOf(run).scenarios).toMatchObject([
      { name: 'm', model: 'one' },
      { name: 'm', model: 'two' },
    ]);
  });

  test('are an error in code as well, within a file and between files', async () => {
    const code = (count: number) => `export default Array.from({ length: ${count} }, () => ({
  name: 'm', prompt: 'hi', agent: () => 'a', assertions: [() => true],
}));\n`;
    await using project = await projectFixture({
      'a.scenario.ts': code(2),
      'b.scenario.ts': code(1),
      'c.yaml': scenario('name: m\n'),
    });
    const within = await runCli(['validate', 'a.scenario.ts'], { cwd: project.root });
    expect(within).toMatchObject({ code: 4, stdout: expect.stringContaining('duplicate-name') });
    const between = await runCli(['run', 'b.scenario.ts', 'c.yaml', '-n', '1'], { cwd: project.root });
    expect(between).toMatchObject({ code: 4, stderr: expect.stringContaining('c.yaml:1:7 error [duplicate-name]') });
    expect(between.stderr).toContain('b.scenario.ts:2:3');
  });
});

test('warnings about schemas, arguments and rows are shown when a scenario runs', async () => {
  await using project = await projectFixture({
    'a.yaml': `prompt: hi {{n}}
adapter: scripted
script: [{ content: "{}" }]
tools:
  - { name: pay, parameters: { type: object, properties: { amount: { type: number, minimun: 1 } } } }
assertions:
  - { type: output_json, schema: { type: object, requried: [a] } }
  - { path: "tool_calls[0].arguments.ammount", ne: 100 }
data: [{ n: 1 }, { n: 1 }]
`,
  });
  const { stderr, code } = await runCli(['run', 'a.yaml', '-n', '1'], { cwd: project.root });
  expect(code).toBe(0);
  for (const warning of ['unknown-keyword', 'unknown-argument', 'equal-rows']) expect(stderr).toContain(`[${warning}]`);
  expect(stderr).toContain('did you mean "minimum"?');
  expect(stderr).toContain('did you mean "required"?');
  expect(stderr).toContain('did you mean "amount"?');
});
