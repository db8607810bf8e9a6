import { expect, test } from 'vitest';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { sampleTrial } from '../../../../../test/sample-trial.ts';
import { traceWithoutText } from '../../../../../test/store/trace-without-text.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { noEarlierTrials, readEarlierTrials } from './earlier-trials.ts';
import type { TrialCost } from './run-record.ts';

interface Stored {
  trace: Trace | null;
  result: TrialResult | null;
  scenario?: number;
  earlierCost?: TrialCost;
}

async function read(stored: Stored[]) {
  const earlier = noEarlierTrials();
  const added: number[] = [];
  await readEarlierTrials({
    runId: 'run',
    recorder: {
      async *trials() {
        for (const [index, { trace, result, scenario = 0, earlierCost = null }] of stored.entries()) {
          const trace_id = trace ? `trace-${index}` : null;
          const place = { run_id: 'run', scenario_index: scenario, case_index: 0, case: null, trial_number: index + 1 };
          yield { ...place, trace_id, result, earlier_cost: earlierCost };
        }
      },
      getTrace: async (traceId) => stored[Number(traceId.slice('trace-'.length))]?.trace ?? null,
    },
    of: (scenario) => (scenario === 0 ? earlier : undefined),
    add: (_, result) => added.push(result.trial_number),
  });
  return { ...earlier, added };
}
const trace = sampleTrace({ cost_usd: 0.25 });
const UNTOLD = {
  assertion_type: 'judge',
  score: 0,
  passed: false,
  weight: 1,
  required: false,
  status: 'unscored' as const,
  details: 'judge_parse_failed: 3/3 calls failed',
  metadata: {},
};

test('a trial with a result is done, scored or not, and has cost what it says', async () => {
  const { done, traces, costUsd, added } = await read([
    { trace, result: sampleTrial({ trial_number: 1, cost_usd: 0.25, judge_cost_usd: 0.5 }) },
    { trace, result: sampleTrial({ trial_number: 2, status: 'unscored', cost_usd: 0.25 }) },
    { trace: null, result: sampleTrial({ trial_number: 3, cost_usd: null }) },
  ]);
  expect([...done]).toEqual([1, 2, 3]);
  expect(added).toEqual([1, 2, 3]);
  expect(traces.size).toBe(0);
  expect(costUsd).toBe(1);
});

test('a trace without a result only needs evaluating, and is paid for', async () => {
  const { done, traces, costUsd } = await read([{ trace, result: null }]);
  const cost = { cost_usd: 0.25, judge_cost_usd: 0 };
  expect([done.size, [...traces], costUsd]).toEqual([0, [[1, { traceId: 'trace-0', cost, unscored: null }]], 0.25]);
});

test('a trial with an unscored assertion is evaluated again, without the agent', async () => {
  const untold = { ...UNTOLD, assertion_id: 'rubric' };
  const result = sampleTrial({ status: 'unscored', eval_results: [untold] });
  const { done, traces } = await read([{ trace, result }]);
  expect([done.size, [...traces.keys()], traces.get(1)?.traceId]).toEqual([0, [1], 'trace-0']);
});

test('a trace without texts cannot be evaluated: its trial is missing, and is paid for all the same', async () => {
  const { done, traces, costUsd } = await read([{ trace: traceWithoutText(trace), result: null }]);
  expect([done.size, traces.size, costUsd]).toEqual([0, 0, 0.25]);
});

test('a trial that a budget cut short is missing, and is paid for all the same', async () => {
  const cut = sampleTrace({ cost_usd: 0.25, finish_reason: 'budget', error: 'the budget was spent' });
  const { done, traces, costUsd, added } = await read([
    { trace: cut, result: sampleTrial({ status: 'unscored', cost_usd: 0.25 }) },
    { trace: cut, result: null },
  ]);
  expect([done.size, traces.size, costUsd, added]).toEqual([0, 0, 0.5, []]);
});

test.each([
  ['an outage of the provider', { error: 'HTTP 503', error_code: 'PROVIDER_UNAVAILABLE' }],
  ['a timeout', { error: 'no end after 300 s', error_code: 'TIMEOUT', finish_reason: 'timeout' }],
] as const)('a trial without an answer because of %s runs again, and is paid for all the same', async (_, change) => {
  const down = sampleTrace({ cost_usd: 0.25, ...change });
  const { done, traces, unanswered, repeatedCosts, costUsd, added } = await read([
    { trace: down, result: sampleTrial({ status: 'unscored', cost_usd: 0.25 }) },
    { trace: down, result: null, earlierCost: { cost_usd: 1, judge_cost_usd: 0.5 } },
  ]);
  expect([done.size, traces.size, [...unanswered], added]).toEqual([0, 0, [1, 2], []]);
  expect([...repeatedCosts.values()]).toEqual([
    { cost_usd: 0.25, judge_cost_usd: 0 },
    { cost_usd: 1.25, judge_cost_usd: 0.5 },
  ]);
  expect(costUsd).toBe(2);
});

test.each([
  ['crashed', { error: 'boom', error_code: 'AGENT_CRASHED' }],
  ['made a call that no mock answers', { error: 'no mock', finish_reason: 'unmocked_call' }],
] as const)('an agent that %s gave its answer: the stored trace is evaluated', async (_, change) => {
  const { traces, unanswered } = await read([{ trace: sampleTrace(change), result: null }]);
  expect([[...traces.keys()], unanswered.size]).toEqual([[1], 0]);
});

test('what was only recorded needs nothing more', async () => {
  const { done } = await read([{ trace, result: sampleTrial({ status: 'unscored', error_message: null }) }]);
  expect([...done]).toEqual([1]);
});

test('trials of scenarios that are not asked for are left out', async () => {
  const { done, costUsd } = await read([{ trace, result: sampleTrial(), scenario: 1 }]);
  expect([done.size, costUsd]).toEqual([0, 0]);
});
