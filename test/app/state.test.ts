import { expect, test } from 'vitest';
import { z } from 'zod';
import { reevaluateRun } from '../../packages/salvo/src/app/results/reevaluate.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { runScenario } from '../../packages/salvo/src/app/runs/run-scenario.ts';
import { defineScenario } from '../../packages/salvo/src/scenario/code/define-scenario.ts';
import { DiagnosticsError } from '../../packages/salvo/src/scenario/diagnostics/diagnostics-error.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import type { Trace } from '../../packages/salvo/src/trace/trace.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const TOOLS = `
let calls = 0;
export function cancel({ id }, { state }) {
  const order = state.orders[id];
  if (!order) throw new Error('there is no order ' + id);
  order.status = 'cancelled';
  state.log.push('cancelled ' + id);
  return order;
}
cancel.description = 'Cancels an order.';
cancel.parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
cancel.effect = 'write';
export const look = ({ id }, { state }) => state.orders[id] ?? 'Error: unknown';
export const stamp = (_, { state }) => { state.stamp = 'fixed'; return 'stamped ' + (calls += 1); };
export const break_it = (_, { state }) => { state.self = state; return 'done'; };
`;
const STATE = { orders: { 'A-1': { status: 'open', paid: 25.0 }, 'B-2': { status: 'open', paid: 10 } }, log: [] };

interface Tried {
  calls: { name: string; arguments?: Record<string, unknown> }[];
  assertions: unknown[];
  more?: Record<string, unknown>;
}

const file = ({ calls, assertions, more = {} }: Tried): string =>
  JSON.stringify({
    prompt: 'Cancel my order.',
    tools: ['cancel', 'look', 'stamp', 'break_it'].map((name) => ({ name, module: './tools.mjs' })),
    script: [{ tool_calls: calls.map((call) => ({ arguments: {}, ...call })) }, { content: 'Done.' }],
    ...more,
    assertions,
  }).replace(/}$/, ', "state": !include state.json}');

async function projectWith(tried: Tried): Promise<ProjectFixture> {
  return projectFixture({
    'salvo.yaml': 'default_adapter: scripted\n',
    'tools.mjs': TOOLS,
    'state.json': JSON.stringify(STATE),
    's.yaml': file(tried),
  });
}

async function run(project: ProjectFixture, trials = 1) {
  await using outcome = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'], trials });
  const [summary] = outcome.run.scenarios;
  const store = await openSqliteStore({ file: project.path('.salvo/salvo.db') });
  const stored = await Array.fromAsync(store.trials(outcome.run.run_id));
  const traces: (Trace | null)[] = [];
  for (const { trace_id } of stored) traces.push(trace_id === null ? null : await store.getTrace(trace_id));
  await store.close();
  return { summary: summary?.summary, results: stored.map(({ result }) => result), traces };
}

const cancelled = { type: 'final_state', after: [{ cancel: { id: 'A-1' } }] };

test('each trial changes a copy of its own, and its trace keeps only what changed', async () => {
  const calls = [
    { name: 'look', arguments: { id: 'A-1' } },
    { name: 'cancel', arguments: { id: 'A-1' } },
  ];
  await using project = await projectWith({ calls, assertions: [cancelled] });
  const { summary, traces } = await run(project, 3);
  expect(summary?.trials_passed).toBe(3);
  expect(traces[0]?.state?.changes).toEqual([
    { path: '/orders/A-1/status', before: 'open', after: 'cancelled' },
    { path: '/log/0', after: 'cancelled A-1' },
  ]);
  expect(traces[0]?.tool_calls_made.map(({ effect }) => effect)).toEqual([undefined, 'write']);
  const again = await reevaluateRun({ cwd: project.root, env: {}, target: 's' });
  expect(again.scenarios[0]).toMatchObject({ task_changes: [], changed_trials: [], after: { trials_passed: 3 } });
});

test('a failure shows the difference, and calls that failed', async () => {
  const calls = [
    { name: 'cancel', arguments: { id: 'B-2' } },
    { name: 'cancel', arguments: { id: 'C-3' } },
  ];
  const after = [{ cancel: { id: 'A-1' } }, { cancel: { id: 'D-4' } }, { cancel: { number: 1 } }];
  await using project = await projectWith({ calls, assertions: [{ type: 'final_state', after }] });
  const { results, traces } = await run(project);
  const details = results[0]?.eval_results[0]?.details;
  expect(details).toContain('/orders/A-1/status is "open", expected "cancelled"');
  expect(details).toContain('/orders/B-2/status is "cancelled", expected "open"');
  expect(details).toContain('call 2 of "after" (cancel) failed: there is no order D-4');
  expect(details).toContain('call 3 of "after" (cancel) failed: Invalid arguments');
  expect(traces[0]?.tool_errors).toMatchObject([{ kind: 'tool_failed', message: 'there is no order C-3' }]);
});

test('a state can be compared as a whole, in part, or by an operator', async () => {
  const assertions = [
    { type: 'final_state', id: 'nothing', after: [] },
    { type: 'final_state', id: 'whole', equals: { log: [], orders: STATE.orders } },
    { type: 'final_state', id: 'part', path: 'orders."A-1"', equals: { paid: 25, status: 'open' } },
    { type: 'final_state', id: 'more', path: 'orders."A-1".paid', gt: 24 },
    { type: 'final_state', id: 'gone', path: 'orders."C-3"', exists: false },
    { type: 'final_state', id: 'wrong', path: 'orders."A-1"', equals: { status: 'shipped', paid: 25 } },
  ];
  await using project = await projectWith({ calls: [{ name: 'look', arguments: { id: 'A-1' } }], assertions });
  const { results } = await run(project);
  expect(results[0]?.eval_results.map(({ passed }) => passed)).toEqual([true, true, true, true, true, false]);
  expect(results[0]?.eval_results[5]?.details).toBe(
    'one difference: orders."A-1"/status is "open", expected "shipped"',
  );
});

test('a tool that is not deterministic is named, and the stored changes count', async () => {
  const assertions = [{ type: 'final_state', path: 'stamp', eq: 'fixed' }];
  await using project = await projectWith({ calls: [{ name: 'stamp' }], assertions });
  await run(project, 2);
  const again = await reevaluateRun({ cwd: project.root, env: {}, target: 's' });
  expect(again.scenarios[0]).toMatchObject({ other_answers: ['stamp'], after: { trials_passed: 2 } });
  await project.write('state.json', JSON.stringify({ ...STATE, more: 1 }));
  const other = await reevaluateRun({ cwd: project.root, env: {}, target: 's' });
  expect(other.scenarios[0]).toMatchObject({ task_changes: ['state'], after: { trials_unscored: 2 } });
});

test('calls are played into the state as it is now', async () => {
  await using project = await projectWith({
    calls: [{ name: 'cancel', arguments: { id: 'A-1' } }],
    assertions: [cancelled],
  });
  await run(project);
  await project.write('state.json', JSON.stringify({ ...STATE, more: 1 }));
  const again = await reevaluateRun({ cwd: project.root, env: {}, target: 's' });
  expect(again.scenarios[0]).toMatchObject({ after: { trials_passed: 1 } });
});

test('functions of a scenario in code see the state, and checks how it ends', async () => {
  const scenario = defineScenario({
    prompt: 'Close it.',
    state: { open: ['A1', 'B2'] },
    tools: [
      {
        name: 'close',
        parameters: z.object({ id: z.string() }),
        mock_response: ({ id }, { state }) => {
          state.open = state.open.filter((each) => each !== id);
        },
      },
    ],
    agent: async ({ callTool }) => {
      await Promise.all([callTool('close', { id: 'A1' }), callTool('close', { id: 'C3' })]);
      return 'Closed.';
    },
    assertions: [({ state }) => state.open.join() === 'B2', { type: 'final_state', after: [{ close: { id: 'A1' } }] }],
  });
  const { summary } = await runScenario({ scenario, trials: 2 });
  expect(summary.trials_passed).toBe(2);
});

test('tools of an agent that executes them itself say nothing about the state', async () => {
  const answer = {
    messages: [
      { role: 'assistant', content: null, tool_calls: [{ id: '1', name: 'close', arguments: {} }] },
      { role: 'tool_result', tool_call_id: '1', name: 'close', content: 'closed', is_error: false },
      { role: 'assistant', content: 'Done.', tool_calls: [] },
    ],
  };
  const scenario = defineScenario({
    prompt: 'Close it.',
    state: { open: ['A1'] },
    own_tools: 'allow',
    tools: [{ name: 'close', mock_response: () => 'ok' }],
    agent: () => answer,
    assertions: [{ type: 'final_state', after: [] }],
  });
  const { summary } = await runScenario({ scenario, trials: 1 });
  expect(summary).toMatchObject({ trials_unscored: 1 });
});

test('a state that is no JSON is not scored', async () => {
  await using project = await projectWith({ calls: [{ name: 'break_it' }], assertions: [cancelled] });
  const { results } = await run(project);
  expect(results[0]).toMatchObject({ status: 'unscored', error_code: 'STATE_INVALID' });
});

test('mocks in YAML read and change the state', async () => {
  const tools = [
    {
      name: 'pay',
      mock_responses: [
        { when_state: 'state.orders.*.status | contains(@, `"paid"`)', error: 'already paid' },
        {
          set: [
            { path: 'orders.{arguments.id}.status', value: 'paid' },
            { path: 'log.-', value_from: "join(' ', ['paid', arguments.id])" },
          ],
          respond_from: '{ order: arguments.id, all: state.orders.*.status }',
        },
      ],
    },
  ];
  const calls = ['C-3', 'A-1', 'B-2'].map((id) => ({ name: 'pay', arguments: { id } }));
  const assertions = [{ type: 'final_state', path: 'log', equals: ['paid A-1'] }];
  await using project = await projectWith({ calls, assertions, more: { tools } });
  const { summary, traces } = await run(project);
  expect(traces[0]?.tool_calls_made.map(({ result }) => result)).toEqual([
    'there is no orders.C-3',
    '{"order":"A-1","all":["paid","open"]}',
    'already paid',
  ]);
  expect(summary?.trials_passed).toBe(1);
});

test.each([
  [{ assertions: [{ type: 'final_state' }] }, 's.yaml', 'needs "after", "equals", or "path" with an operator'],
  [{ assertions: [{ ...cancelled, equals: 1 }] }, 's.yaml', 'either "after" or "equals"'],
  [{ assertions: [{ ...cancelled, path: 'a' }] }, 's.yaml', 'has no "path"'],
  [{ assertions: [{ type: 'final_state', gt: 1 }] }, 's.yaml', '"gt" needs a "path"'],
  [{ assertions: [{ type: 'final_state', after: [{ cancle: {} }] }] }, 's.yaml', 'cancle'],
  [{ assertions: [{ type: 'final_state', after: ['cancel'] }] }, 's.yaml', 'write a call as {cancel: {id: A-1}}'],
  [{ assertions: [{ type: 'final_state', path: 'orders.A-1', equals: 1 }] }, 's.yaml', 'in double quotes: "A-1"'],
  [{ assertions: [{ type: 'output_contains', value: 'a', turn: 'all' }] }, 's.yaml', 'every, or write a number'],
  [{ tools: [{ name: 'a', module: './none.mjs' }] }, 's.yaml', './none.mjs does not exist'],
  [{ tools: [{ name: 'a', module: './tools.mjs', mock_response: 1 }] }, 's.yaml', 'either "module" or "mock_response"'],
  [{ tools: [{ name: 'a', function: 'b' }] }, 's.yaml', 'an export of "module"'],
  [
    { tools: [{ name: 'a', mock_responses: [{ set: { path: 'a' }, respond: 1 }] }] },
    's.yaml',
    '"value" or "value_from"',
  ],
  [{ tools: [{ name: 'a', mock_responses: [{ respond: 1, respond_from: 'a' }] }] }, 's.yaml', 'either "respond"'],
])('what cannot work is refused with its place: %j', async (more, where, message) => {
  await using project = await projectWith({ calls: [], assertions: [], more });
  const text = file({ calls: [], assertions: [], more }).replace('"assertions":[],', '');
  await project.write('s.yaml', 'assertions' in more ? file({ calls: [], assertions: more.assertions ?? [] }) : text);
  const error = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'] }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DiagnosticsError);
  const all = error instanceof DiagnosticsError ? error.diagnostics : [];
  expect(all.map((each) => `${each.message}\n${each.hint}`).join('\n')).toContain(message);
  expect(all[0]?.file).toContain(where);
});

test.each([
  ['an empty file', '', /not valid JSON/],
  ['a list', '[1]', /state/],
  ['a truncated file', `{"a": ${JSON.stringify('x'.repeat(300_000))}`, /not valid JSON/],
  ['a deep one', `{"x": "${'x'.repeat(300_000)}", "a": ${'['.repeat(150)}${']'.repeat(150)}}`, /nested more than 100/],
  ['a doubled key', `{"x": "${'x'.repeat(300_000)}", "a": 1, "a": 2}`, /"a" occurs twice/],
])('a broken state file is named: %s', async (_, content, message) => {
  await using project = await projectWith({ calls: [], assertions: [cancelled] });
  await project.write('state.json', content);
  const error = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'] }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DiagnosticsError);
  expect(error instanceof DiagnosticsError ? error.diagnostics[0]?.message : '').toMatch(message);
});

test('a custom assertion sees how the state ends, and again after a reeval', async () => {
  const custom = { type: 'custom', module: './check.mjs' };
  await using project = await projectWith({
    calls: [{ name: 'cancel', arguments: { id: 'A-1' } }],
    assertions: [custom, { ...custom, function: 'spoil' }, custom],
  });
  await project.write(
    'check.mjs',
    `export default (trace, { state }) => state.orders['A-1'].status === 'cancelled' && state.log.length === 1;
     export const spoil = (trace, { state }) => { state.orders = {}; return true; };`,
  );
  const { summary } = await run(project);
  expect(summary?.trials_passed).toBe(1);
  await project.write('state.json', JSON.stringify({ ...STATE, log: ['before'] }));
  const again = await reevaluateRun({ cwd: project.root, env: {}, target: 's' });
  expect(again.scenarios[0]?.after).toMatchObject({ trials_passed: 0, trials_failed: 1 });
});
