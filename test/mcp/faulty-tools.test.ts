import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { documentOf, runCli } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';

const SHOP = resolve(import.meta.dirname, 'shop-server.mjs');
const scenario = (faults: string) => `
prompt: Cancel A-2.
tools:
  - mcp: { command: [node, ${JSON.stringify(SHOP)}] }
    only: [lookup_order, cancel_order]
    cassette: true
    faults: ${faults}
script:
  - tool_calls: [{ name: cancel_order, arguments: { id: A-2 } }]
  - tool_calls: [{ name: lookup_order, arguments: { id: A-2 } }]
  - tool_calls: [{ name: lookup_order, arguments: { id: A-2 } }]
  - tool_calls: [{ name: lookup_order, arguments: { id: A-2 } }]
  - content: It is cancelled.
assertions: [{ type: no_false_success, claim: cancelled, needs: { tool: cancel_order } }]
`;
const LOST = '{ kind: timeout, calls: 1, tools: [cancel_order], after: true }';
const CUT = '{ kind: truncated, calls: 1, tools: [lookup_order] }, { kind: http_500, calls: 2, tools: [lookup_order] }';

test('calls of an MCP server fail live and from its cassette alike, and the cassette has what the server said', async () => {
  await using project = await projectFixture({
    'salvo.yaml': 'default_adapter: scripted\n',
    's.yaml': scenario(`[${LOST}, ${CUT}]`),
  });
  const salvo = (...args: string[]) => runCli([...args, '-q'], { cwd: project.root });
  const calls = async () => {
    const { stdout } = await runCli(['replay', 'latest', '--json'], { cwd: project.root });
    const made: { name: string; result: string; is_error?: boolean; fault?: object }[] =
      JSON.parse(stdout).tool_calls_made;
    return made.map(({ name, result, is_error, fault }) => ({ name, result, is_error, fault }));
  };
  const live = await salvo('run', 's.yaml', '-n', '1', '--json');
  expect(live.code, live.stderr).toBe(0);
  expect(documentOf(live).scenarios[0]?.trials[0]?.faults).toEqual({
    ...{ 'timeout after the call': 1, truncated: 1, http_500: 1 },
  });
  const seen = await calls();
  expect(seen).toMatchObject([
    { name: 'cancel_order', is_error: true, fault: { kind: 'timeout', call: 1, tool: 'succeeded' } },
    { fault: { kind: 'truncated', tool: 'succeeded' } },
    { is_error: true, fault: { kind: 'http_500', tool: 'not_called' } },
    { result: expect.stringContaining('cancelled') },
  ]);
  const cassette = await readFile(project.path('s.cassette.yaml'), 'utf8');
  expect(cassette).not.toMatch(/timeout of|status code 500/);

  // Nothing of the server is there any more.
  const gone = (text: string) => text.replaceAll(SHOP, '/nowhere/shop.mjs');
  await writeFile(project.path('s.cassette.yaml'), gone(cassette));
  await writeFile(project.path('s.yaml'), gone(scenario(`[${LOST}, ${CUT}]`)));
  expect((await salvo('run', 's.yaml', '-n', '1')).code).toBe(0);
  expect(await calls()).toEqual(seen);
  // An order that was not cancelled was never looked up: no answer is made up, and the trial is not scored.
  await writeFile(project.path('s.yaml'), gone(scenario(`[${LOST.replace(', after: true', '')}, ${CUT}]`)));
  const other = await salvo('run', 's.yaml', '-n', '1', '--json');
  expect([other.code, documentOf(other).scenarios[0]?.errors]).toMatchObject([3, [{ code: 'TOOL_NOT_RECORDED' }]]);
});
