import { expect, test } from 'vitest';
import { type ProjectFixture, projectFixture } from '../../../../../test/project-fixture.ts';
import { agentDifferences } from '../../run/record/agent-files.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { loadScenarios } from '../../scenario/load-scenario.ts';
import { agentFiles } from './agent-files.ts';

const SCENARIO = 'prompt: hi\nassertions: [{ type: output_contains, value: a }]\n';

async function fingerprint(fixture: ProjectFixture, file = 's.yaml') {
  const project = await loadProject(fixture.root);
  const loaded = await loadScenarios({ file: fixture.path(file), project });
  return agentFiles(
    loaded.map((each) => ({ loaded: each })),
    { project, env: {} },
  );
}

/** What differs after a change of a file. */
async function changed(fixture: ProjectFixture, file: string, content: string, scenario?: string) {
  const before = await fingerprint(fixture, scenario);
  await fixture.write(file, content);
  return agentDifferences(before, await fingerprint(fixture, scenario));
}

test('the files of a module are those that it imports, directly or through others', async () => {
  await using fixture = await projectFixture({
    's.yaml': `${SCENARIO}adapter: ./agent.ts\n`,
    'agent.ts': `import { a } from './lib/a.ts';\nexport default () => a;\n`,
    'lib/a.ts': `export { b as a } from './b.ts';\n`,
    'lib/b.ts': `export const b = 1;\n`,
    'lib/c.ts': `export const c = 1;\n`,
  });
  expect(await changed(fixture, 'lib/b.ts', 'export const b = 2;\n')).toEqual(['lib/b.ts changed']);
  expect(await changed(fixture, 'lib/c.ts', 'export const c = 2;\n')).toEqual([]);
  expect(await changed(fixture, 'lib/b.ts', `export * from './c.ts';\n`)).toEqual([
    'lib/b.ts changed',
    'lib/c.ts is new',
  ]);
});

test('line ends are no change', async () => {
  await using fixture = await projectFixture({ 's.yaml': `${SCENARIO}adapter: ./agent.ts\n`, 'agent.ts': '1;\n2;\n' });
  expect(await changed(fixture, 'agent.ts', '1;\r\n2;\r\n')).toEqual([]);
});

test('a package that the agent imports is known by its version', async () => {
  const manifest = (version: string) => JSON.stringify({ name: '@x/sdk', version, main: 'index.js' });
  await using fixture = await projectFixture({
    's.yaml': `${SCENARIO}adapter: ./agent.ts\n`,
    'agent.ts': `import { ask } from '@x/sdk/client';\nimport fs from 'node:fs';\nexport default ask;\n`,
    'node_modules/@x/sdk/package.json': manifest('1.0.0'),
    'node_modules/@x/sdk/index.js': '',
  });
  expect(await changed(fixture, 'node_modules/@x/sdk/package.json', manifest('2.0.0'))).toEqual([
    'package @x/sdk 1.0.0 → 2.0.0',
  ]);
});

test('the files of a command are those that it names, with what they import', async () => {
  await using fixture = await projectFixture({
    'salvo.yaml': 'default_adapter: mine\nadapters: { mine: { type: exec, command: [python3, bot/agent.py] } }\n',
    's.yaml': SCENARIO,
    'bot/agent.py': 'import helper\n',
    'bot/helper.py': 'A = 1\n',
  });
  expect(await changed(fixture, 'bot/helper.py', 'A = 2\n')).toEqual(['bot/helper.py changed']);
  const other = 'default_adapter: mine\nadapters: { mine: { type: exec, command: [python3, -O, bot/agent.py] } }\n';
  expect(await changed(fixture, 'salvo.yaml', other)).toEqual(['the settings of the adapter mine changed']);
});

test('of a server only the address is known, and a limit of requests is no part of the agent', async () => {
  const settings = (url: string, limit: number) =>
    `default_adapter: mine\nadapters: { mine: { type: http, url: '${url}', max_concurrency: ${limit} } }\n`;
  await using fixture = await projectFixture({ 'salvo.yaml': settings('http://localhost:1/a', 1), 's.yaml': SCENARIO });
  expect(await changed(fixture, 'salvo.yaml', settings('http://localhost:1/a', 2))).toEqual([]);
  expect(await changed(fixture, 'salvo.yaml', settings('http://localhost:1/b', 2))).toEqual([
    'the settings of the adapter mine changed',
  ]);
});

test('the agent of a scenario in code has the files that the scenario imports', async () => {
  await using fixture = await projectFixture({
    's.scenario.ts': `import { answer } from './answer.ts';
export default { prompt: 'hi', agent: () => answer, assertions: [{ type: 'output_contains', value: 'a' }] };\n`,
    'answer.ts': `export const answer = 'a';\n`,
  });
  expect(await changed(fixture, 'answer.ts', `export const answer = 'b';\n`, 's.scenario.ts')).toEqual([
    'answer.ts changed',
  ]);
});

test('nothing is known of a run without a fingerprint, and there is none without code', async () => {
  await using fixture = await projectFixture({ 's.yaml': `${SCENARIO}adapter: scripted\nscript: [{ content: a }]\n` });
  expect(await fingerprint(fixture)).toEqual({});
  expect(agentDifferences(undefined, { 'agent.ts': 'a' })).toEqual([]);
});
