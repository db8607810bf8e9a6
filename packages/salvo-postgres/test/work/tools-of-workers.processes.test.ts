import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startCli } from '../../../../test/cli/cli-fixture.ts';
import { createDatabase } from '../../../../test/postgres.ts';
import { projectFixture } from '../../../../test/project-fixture.ts';

const SERVER = readFileSync(resolve(import.meta.dirname, '../../../../test/mcp/hostile-server.mjs'), 'utf8');
const FILES = {
  'salvo.yaml': 'default_adapter: scripted\n',
  'tools/server.mjs': SERVER,
  'tools/search.mjs': 'export const search = ({ q }) => ({ found: q });\n',
  'scenarios/s.yaml': `
prompt: Look.
tools:
  - { mcp: { command: [node, server.mjs], cwd: ../tools, env: [SHOP_REGION] }, only: [stock] }
  - { name: search, module: ../tools/search.mjs }
script:
  - tool_calls: [{ name: stock, arguments: {} }, { name: search, arguments: { q: kettle } }]
  - content: Done.
assertions:
  - { path: "tool_calls[0].result", contains: kettles }
  - { path: "tool_calls[1].result", contains: kettle }
`,
  'scenarios/recorded.yaml': `
prompt: Look.
tools: [{ name: search, module: ../tools/search.mjs, cassette: true }]
script: [{ content: Done. }]
`,
};

test('workers start MCP servers and call functions that their owner allows, with the variables that it allows', async () => {
  await using database = await createDatabase();
  await using project = await projectFixture(FILES);
  await using elsewhere = await projectFixture();
  const env = {
    SALVO_DATABASE_URL: database.url,
    SALVO_CACHE_DIR: elsewhere.path('cache'),
    SHOP_REGION: 'northern-light-4411',
    CI: '',
  };
  const client = startCli(['run', 'scenarios/s.yaml', '-n', '1', '--json'], { cwd: project.root, env });
  const worker = async (args: string[], words: string) => {
    const started = startCli(['worker', ...args], { cwd: elsewhere.root, env });
    await started.untilStderrHas(words);
    started.child.kill('SIGTERM');
    await started.result;
    return started.stderr();
  };
  const refused = await worker([], 'does not allow');
  expect(refused).toContain('node server.mjs');
  expect(refused).toContain('tools/search.mjs');
  expect(await worker(['--allow-code'], 'did not allow')).toContain('a scenario: the variable SHOP_REGION');
  const started = startCli(['worker', '--allow-code', '--env', 'SHOP_REGION'], { cwd: elsewhere.root, env });
  const { code, stdout } = await client.result;
  started.child.kill('SIGTERM');
  await started.result;
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('"trials_passed": 1') });
  // Cassettes are files of this machine.
  const recorded = startCli(['run', 'scenarios/recorded.yaml'], { cwd: project.root, env });
  expect(await recorded.result).toMatchObject({ code: 4, stderr: expect.stringContaining('Workers have no cassette') });
}, 280_000);
