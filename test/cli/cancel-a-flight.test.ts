import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import { completion, openAiError } from '../loopback/openai-wire.ts';
import { projectFixture } from '../project-fixture.ts';
import { salvo } from './cassette-fixture.ts';
import { documentOf } from './cli-fixture.ts';

/** A state, tools of three kinds, cassettes, a simulated user and the assertions on them, all in one scenario. */
const SCENARIO = `name: cancel-a-flight
adapter: ../agent.ts
state: !include airline.json                        # a fresh copy for each trial
tools:
  - { name: cancel, module: ./tools.ts }            # its export \`cancel\`, or \`function:\`; called as (arguments, { state })
  - { name: search, module: ./tools.ts, cassette: true }
  - { mcp: { command: [node, shop.mjs] }, only: [lookup_order], cassette: true }
user: { goal: Cancel my flight, facts: { id: Z7GOZK }, model: gpt-6-luna, max_messages: 20, stop: "###STOP###" }
assertions:
  - { type: final_state, after: [{ cancel: { reservation_id: Z7GOZK } }] }   # the state these calls lead to; or equals:, or path: with an operator
  - { type: tool_sequence, mode: any_order, sequence: [{ tool: cancel, arguments: { reservation_id: Z7GOZK } }] }
  - { type: output_contains, value: refund, turn: any }                      # 2, last, every
`;

const TOOLS = `
export function cancel({ reservation_id }: { reservation_id: string }, { state }: { state: any }) {
  if (!state.reservations[reservation_id]) throw new Error('There is no such reservation.');
  state.reservations[reservation_id].status = 'cancelled';
  return 'cancelled';
}
export const search = ({ from }: { from: string }) => [{ flight: 'SV-2', from }];
`;

const AGENT = `
export default async function agent({ messages, callTool }: any) {
  const [id] = /Z7GOZK/.exec(messages.at(-1).content) ?? [];
  if (!id) return 'What is your reservation?';
  await callTool('search', { from: 'OSL' });
  await callTool('lookup_order', { id: 'A-1' });
  await callTool('cancel', { reservation_id: id });
  return 'It is cancelled, and the refund is on its way. Anything else?';
}
`;

const FILES = {
  'scenarios/cancel.yaml': SCENARIO,
  'scenarios/airline.json': '{ "reservations": { "Z7GOZK": { "status": "booked" } } }',
  'scenarios/tools.ts': TOOLS,
  'scenarios/shop.mjs': `import '${pathToFileURL('test/mcp/shop-server.mjs').href}';\n`,
  'agent.ts': AGENT,
};

const SAID = ['Hi, I want to cancel my flight.', 'It is Z7GOZK.', 'Thanks! ###STOP###'];

function startUser() {
  return startAnsweringServer(({ body }) => {
    const { model, messages } = Object(body);
    if (model !== 'gpt-6-luna') return openAiError(400, { message: `unexpected model ${model}` });
    const own = messages.filter(({ role }: { role: string }) => role === 'assistant');
    return completion({ content: SAID[own.length] ?? 'too many messages' });
  });
}

test('state, real tools, cassettes and a user work together: recorded, replayed and judged again alike', async () => {
  await using user = await startUser();
  await using project = await projectFixture(FILES);
  const run = (...args: string[]) => salvo(project, user, ['run', '--json', ...args]);
  expect(await salvo(project, user, ['validate'])).toMatchObject({ code: 0, stdout: '1 file is valid\n' });
  const recorded = await run();
  expect([recorded.code, recorded.stderr]).toEqual([0, expect.stringContaining('scenarios/cancel.cassette.yaml')]);
  expect(documentOf(recorded).scenarios[0]).toMatchObject({ trials_passed: 3, trials_scored: 3 });
  const replayed = await run('--cassettes', 'replay');
  expect(documentOf(replayed).scenarios[0]).toMatchObject({ trials_passed: 3, trials_scored: 3 });
  const again = await salvo(project, user, ['reeval']);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('No trial was judged differently.')]);
});

test.each([
  [{ 'scenarios/cancel.yaml': SCENARIO.replace('[lookup_order]', '[lookup]') }, '7:5: The MCP server "node shop.mjs"'],
  [{ 'scenarios/tools.ts': TOOLS.replace('function cancel', 'function cancle') }, '5:5: '],
])('a tool that is not there is named with its place in the scenario', async (files, place) => {
  await using user = await startUser();
  await using project = await projectFixture({ ...FILES, ...files });
  const { code, stderr } = await salvo(project, user, ['run']);
  expect([code, stderr]).toEqual([4, expect.stringContaining(`scenarios/cancel.yaml:${place}`)]);
});

test.each([
  ['it is named where it is written', SCENARIO, 4, 'cancel.yaml:10:36 error [unknown-tool]'],
  [
    'not scored if a server might have had it',
    SCENARIO.replace('only: [lookup_order], ', ''),
    3,
    'Unknown tool "cancle"',
  ],
])('a wrong tool in `after` is no fault of the agent: %s', async (_, scenario, exitCode, message) => {
  await using user = await startUser();
  const wrong = scenario.replace('after: [{ cancel:', 'after: [{ cancle:');
  await using project = await projectFixture({ ...FILES, 'scenarios/cancel.yaml': wrong });
  const { code, stderr } = await salvo(project, user, ['run', '-n', '1']);
  expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
});
