import { expect, it } from 'vitest';
import type { Baseline } from '../../../run/compare/baseline.ts';
import { compareWithBase } from '../../../run/compare/compare-runs.ts';
import { compareBeside } from './compare-beside.ts';

function baseline(run_id: string, trials: string): Baseline {
  const yardstick = { threshold: 1, assertions: {}, judges: {}, mocks: null, task: null, system_prompt: null };
  const scenario = { name: 'answers', file: 's.yaml', adapter: 'scripted', model: 'm', seed: null, yardstick };
  return {
    ...{ salvo_baseline: 1, salvo_version: '', run_id, created_at: '2026-11-17T00:00:00.000Z', commit: null },
    scenarios: [{ ...scenario, cases: [{ case: null, row: null, trials }], cost_usd: null, latency_seconds: null }],
  };
}

it('gives the same comparison in a thread', async () => {
  const [base, next] = [baseline('a', '1'.repeat(40)), baseline('b', '1'.repeat(20) + '0'.repeat(20))];
  const beside = await compareBeside({ base, others: [next] }, { trialsForThread: 1 });
  expect(beside).toEqual(compareWithBase(base, [next]));
  expect(beside[0]?.scenarios[0]?.conclusion).toBe('worse');
});
