import { expect, test } from 'vitest';
import { runScenario } from '../../packages/salvo/src/app/runs/run-scenario.ts';
import { verdictReason } from '../../packages/salvo/src/report/run/verdict.ts';

const scenario = { name: 'crashes', prompt: 'Hi', assertions: [{ type: 'output_contains' as const, value: 'x' }] };

test('an agent that crashes alike in its first three trials is not asked again, and has failed', async () => {
  let asked = 0;
  const agent = () => {
    asked += 1;
    throw new TypeError(`Cannot read properties of undefined (request ${asked})`);
  };
  const run = await runScenario({ scenario, agent, trials: 20, concurrency: 1 });
  expect(asked).toBe(3);
  expect(run).toMatchObject({ verdict: 'FAIL', exitCode: 1 });
  expect(run.summary).toMatchObject({
    ...{ stopped: 'equal_crashes', decided_by: 'equal_crashes' },
    ...{ trials_planned: 20, trials_total: 3, trials_crashed: 3 },
  });
  expect(verdictReason(run.summary)).toBe(
    'the first trials crashed alike, so 17 of 20 trials were not started; 0 of 3 trials passed (3 crashed)',
  );
});

test('an agent that crashes differently is asked in every trial', async () => {
  let asked = 0;
  const agent = () => {
    asked += 1;
    throw new TypeError(asked === 2 ? 'no network card' : 'x is undefined');
  };
  const run = await runScenario({ scenario, agent, trials: 6, concurrency: 1 });
  expect(asked).toBe(6);
  expect(run).toMatchObject({ verdict: 'FAIL', summary: { stopped: null, trials_crashed: 6 } });
});

test('an agent whose own tool ran instead of the mock is not asked again: each trial may have real effects', async () => {
  let refunds = 0;
  const call = { id: 'a', name: 'refund', arguments: { amount: 5 } };
  const agent = () => {
    refunds += 1;
    return {
      messages: [
        { role: 'assistant' as const, content: null, tool_calls: [call] },
        { role: 'tool_result' as const, tool_call_id: 'a', name: 'refund', content: 'paid', is_error: false },
        { role: 'assistant' as const, content: 'x', tool_calls: [] },
      ],
    };
  };
  const mocked = { ...scenario, tools: [{ name: 'refund', mock_response: 'ok' }] };
  const run = await runScenario({ scenario: mocked, agent, trials: 20, concurrency: 1 });
  expect(refunds).toBe(1);
  expect(run).toMatchObject({ verdict: 'UNSCORED', exitCode: 3, summary: { stopped: 'mock_bypassed' } });
  const allowed = { ...mocked, own_tools: 'allow' as const };
  expect(await runScenario({ scenario: allowed, agent, trials: 3 })).toMatchObject({ verdict: 'PASS', exitCode: 0 });
});
