import { expect, test } from 'vitest';
import { reevaluateRun } from '../../packages/salvo/src/app/results/reevaluate.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import { projectFixture } from '../project-fixture.ts';

const TOOLS = `
export function pay({ id, amount }, { state }) {
  const order = state.orders[id];
  if (!order) throw new Error('There is no order ' + id);
  order.paid += amount;
  return { id, ...order };
}
pay.parameters = { type: 'object', properties: { id: { type: 'string' }, amount: { type: 'number' } }, required: ['id'] };
export const look = ({ id }, { state }) => state.orders[id];
look.effect = 'read';
export const add = ({ a, b }) => a + b;
add.effect = 'read';
`;
const STATE = { orders: { 'A-1': { paid: 25.0, note: 'x' } } };

interface Said {
  tool: string;
  args: Record<string, unknown>;
  answer: string | null;
}

/** As a benchmark stores it: with the form of OpenAI, ids that repeat, and no marks at errors. */
function conversation(said: readonly Said[]) {
  const calls = said.flatMap(({ tool, args, answer }, index) => {
    const id = `call_${index % 2}`;
    const asked = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } }],
    };
    return answer === null ? [asked] : [asked, { role: 'tool', tool_call_id: id, name: tool, content: answer }];
  });
  const first = [
    { role: 'user', content: 'I want to pay.' },
    { role: 'assistant', content: 'You have paid 25 of A-1.' },
    { role: 'user', content: 'Pay 5 more.' },
  ];
  return [...first, ...calls, { role: 'assistant', content: 'Done.' }, { role: 'user', content: '###STOP###' }];
}

const paid: Said = {
  tool: 'pay',
  args: { amount: 5, id: 'A-1' },
  answer: '{"paid": 30.0, "id": "A-1", "note": "x", "refund": null}',
};
const failed: Said = { tool: 'pay', args: { id: 'B-1', amount: 5 }, answer: 'Error: there is no order B-1' };
const looked: Said = { tool: 'look', args: { id: 'A-1' }, answer: '{"note": "x", "paid": 25.0}' };
const added: Said = { tool: 'add', args: { a: 20, b: 5 }, answer: '25.0' };

/** Runs an agent that only returns a conversation, and judges it again. */
async function judged(said: readonly Said[], more: Record<string, unknown> = {}) {
  const scenario = {
    prompt: 'I want to pay.',
    state: STATE,
    tools: ['pay', 'look', 'add'].map((name) => ({ name, module: './tools.mjs' })),
    assertions: [
      { type: 'final_state', after: [{ pay: { id: 'A-1', amount: 5 } }] },
      { type: 'output_contains', value: '25', turn: 'any' },
    ],
    ...more,
  };
  await using project = await projectFixture({
    'salvo.yaml': 'default_adapter: ./agent.mjs\n',
    'agent.mjs': `export default async () => ({ messages: ${JSON.stringify(conversation(said))} });`,
    'tools.mjs': TOOLS,
    's.yaml': JSON.stringify(scenario),
  });
  await using outcome = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'], trials: 1 });
  const again = await reevaluateRun({ cwd: project.root, env: {}, target: 's' });
  const store = await openSqliteStore({ file: project.path('.salvo/salvo.db') });
  const [stored] = await Array.fromAsync(store.trials(outcome.run.run_id));
  const [repeated] = await Array.fromAsync(store.trials(again.run.run_id));
  const trace = await store.getTrace(stored?.trace_id ?? '');
  await store.close();
  expect(repeated?.result?.status).toBe(stored?.result?.status);
  expect(repeated?.result?.eval_results).toEqual(stored?.result?.eval_results);
  expect(repeated?.result?.error_message).toBe(stored?.result?.error_message);
  return { result: stored?.result, state: trace?.state };
}

test('calls that an agent only reports are played: the state that they lead to counts if the answers agree', async () => {
  const { result, state } = await judged([looked, added, failed, paid]);
  expect(result?.eval_results.map(({ passed }) => passed)).toEqual([true, true]);
  expect(state).toMatchObject({
    changes: [{ path: '/orders/A-1/paid', before: 25, after: 30 }],
    reported: { agree: 'all' },
  });
  expect((await judged([looked])).result).toMatchObject({ status: 'failed', error_message: null });
  const twice = await judged([paid, { ...paid, answer: '{"id":"A-1","note":"x","paid":35}' }]);
  expect(twice.result?.eval_results[0]?.details).toBe('one difference: /orders/A-1/paid is 35, expected 30');
});

test.each<[string, Said[], string]>([
  [
    'another value',
    [{ ...paid, answer: '{"id":"A-1","paid":31,"note":"x"}' }],
    'call 1 (pay) was answered with /paid: 31',
  ],
  ['a text', [looked, { ...paid, answer: 'paid' }], 'call 2 (pay) was answered with "paid"'],
  ['another error', [{ ...failed, answer: 'Error: locked' }], 'call 1 (pay) was answered with "Error: locked"'],
  ['an error that is none', [{ ...paid, answer: 'Error: locked' }], 'call 1 (pay) was answered with "Error: locked"'],
  ['a success that is none', [{ ...failed, answer: '{"id":"B-1"}' }], 'answers "There is no order B-1"'],
  [
    'a read',
    [{ ...added, answer: '26' }, paid],
    'call 1 (add) was answered with 26, and the tool of the scenario answers 25',
  ],
])('a conversation with %s is not that of the tools: it may have had real effects', async (_, said, why) => {
  const { result, state } = await judged(said);
  expect(result).toMatchObject({ status: 'unscored', error_code: 'MOCK_BYPASSED' });
  expect(result?.error_message).toContain(why);
  expect(state?.reported?.difference).toContain(why);
});

test('with own_tools: allow only the state is not scored, and only if a tool that may write differs', async () => {
  const allow = { own_tools: 'allow' };
  const other = await judged([{ ...paid, answer: 'paid' }], allow);
  expect(other.result?.eval_results.map(({ status }) => status)).toEqual(['unscored', 'scored']);
  expect(other.result?.error_message).toContain('do not lead to a known state: call 1 (pay)');
  const read = await judged([{ ...looked, answer: 'A-1' }, paid], allow);
  expect(read.result?.status).toBe('passed');
  expect(read.result?.eval_results[0]?.details).toContain('as expected; call 1 (look) was answered with "A-1"');
});

test('a call without an answer was not executed; one with arguments that the tool does not accept changes nothing', async () => {
  const refused: Said = { tool: 'pay', args: { amount: 'five' }, answer: "Error: missing argument 'id'" };
  const { result, state } = await judged([refused, paid, { ...paid, answer: null }]);
  expect(result?.status).toBe('passed');
  expect(state?.changes).toHaveLength(1);
});

test('calls of tools that have nothing to do with the state are not confirmed', async () => {
  const tools = [
    { name: 'pay', module: './tools.mjs' },
    { name: 'look', mock_response: 'x', effect: 'read' },
  ];
  const { result } = await judged([looked, paid], { tools });
  expect(result?.error_message).toContain('call 1 (look) cannot be played');
});
