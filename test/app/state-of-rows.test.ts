import { expect, test } from 'vitest';
import { reevaluateRun } from '../../packages/salvo/src/app/results/reevaluate.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { projectFixture } from '../project-fixture.ts';

test('templates in the state: each row has a document of its own, and `after` is played into it', async () => {
  const more = {
    data: [
      { name: 'few', id: 'A-1', amount: 5, items: ['x'] },
      { name: 'many', id: 'B-2', amount: 7.5, items: ['y', 'z'] },
      { name: '__proto__', id: 'constructor', amount: 1, items: [] },
    ],
    state: { orders: { 'A-1': {}, 'B-2': {} }, owner: 'of {{id}}', open: '{{amount}}', cart: '{{items}}', log: [] },
    tools: [
      {
        name: 'pay',
        mock_responses: [
          {
            set: [
              { path: 'open', value: 0 },
              { path: 'log.-', value: '{{id}}' },
            ],
            respond_from: '[state.open, state.owner, length(state.cart)]',
          },
        ],
      },
    ],
    script: [{ tool_calls: [{ name: 'pay', arguments: {} }] }, { content: 'Done.' }],
  };
  const assertions = [
    { type: 'final_state', after: [{ pay: {} }] },
    { type: 'final_state', path: '[open, owner, cart, log]', equals: [0, 'of {{id}}', '{{items}}', ['{{id}}']] },
  ];
  await using project = await projectFixture({
    'salvo.yaml': 'default_adapter: scripted\n',
    's.yaml': JSON.stringify({ prompt: 'Pay.', ...more, assertions }),
  });
  await using outcome = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'], trials: 2 });
  expect(outcome.run.scenarios[0]?.summary).toMatchObject({ trials_passed: 6 });
  const states = [];
  for await (const { trace_id } of outcome.store.trials(outcome.run.run_id)) {
    states.push((await outcome.store.getTrace(trace_id ?? ''))?.state);
  }
  expect(new Set(states.map((state) => state?.sha256)).size).toBe(3);
  expect(states.map((state) => state?.changes[0])).toContainEqual({ path: '/open', before: 7.5, after: 0 });
  const again = await reevaluateRun({ cwd: project.root, env: {}, target: 's' });
  expect(again.scenarios[0]).toMatchObject({ changed_trials: [], after: { trials_passed: 6 } });
});
