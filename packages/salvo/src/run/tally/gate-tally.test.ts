import { describe, expect, it } from 'vitest';
import { sampleEvalResult, sampleTrial } from '../../../../../test/sample-trial.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { FurtherGate, Gates } from '../verdict/gates.ts';
import { createGateTally } from './gate-tally.ts';

const NO_RATE = { value: 1, interval: null };

function resultsOf(gates: Partial<Gates>, trials: TrialResult[], isOneDraw = false) {
  const tally = createGateTally({ min_pass_rate: 0, min_score: null, further: [], ...gates });
  for (const trial of trials) tally.add(trial);
  return tally.results(NO_RATE, { isOneDraw, units: trials.length }).slice(1);
}

function only(gate: FurtherGate, trials: TrialResult[]) {
  return resultsOf({ further: [gate] }, trials)[0];
}

/** The trials of a case: `p` passed, anything else failed. */
function ofCase(case_index: number, outcomes: string, change: Partial<TrialResult> = {}): TrialResult[] {
  return [...outcomes].map((outcome, at) =>
    sampleTrial({ case_index, trial_number: at + 1, status: outcome === 'p' ? 'passed' : 'failed', ...change }),
  );
}

const judged = (scores: Record<string, number>, assertion_id = 'tone') =>
  sampleEvalResult({
    assertion_type: 'judge',
    assertion_id,
    metadata: {
      judge_model: 'm',
      judge_k: 1,
      judge_cost_usd: 0,
      per_criterion: Object.entries(scores).map(([name, score]) => ({
        name,
        score,
        all_scores: [score],
        reasoning: null,
      })),
      votes: [],
      dissenting_votes: 0,
      saved_calls: 0,
      retries: 0,
      notes: [],
      panel: null,
    },
  });

describe('pass^k and pass@k', () => {
  const hat = { gate: 'min_pass_hat_k', k: 2, limit: 0.5 } as const;

  it('are chances for trials of the same case, as means over the cases', () => {
    const trials = [...ofCase(0, 'pppf'), ...ofCase(1, 'ppff')];
    expect(only(hat, trials)).toMatchObject({ of: '2', value: (3 / 6 + 1 / 6) / 2, met: false });
    expect(only({ ...hat, gate: 'min_pass_at_k' }, trials)).toMatchObject({ value: (1 + 5 / 6) / 2, met: true });
  });

  it('are unknown, and neither met nor missed, if a case has fewer than k trials', () => {
    const trials = [...ofCase(0, 'pp'), ...ofCase(1, 'f')];
    expect(only(hat, trials)).toMatchObject({ value: null, met: null, unknown: 'too_few_trials', interval: null });
  });

  it('have the interval of the pass rate to the power of k if there is one case', () => {
    const result = only(hat, ofCase(0, 'ppppppppff'));
    expect(result?.interval?.[0]).toBeCloseTo(0.49 ** 2, 2);
    expect(result?.interval?.[1]).toBeCloseTo(0.943 ** 2, 2);
  });
});

describe('a criterion', () => {
  const gate = { gate: 'min_criteria', assertionId: null, criterion: 'kind', limit: 0.8 } as const;

  it('has the mean of its scores over the trials', () => {
    const trials = [0.6, 0.8].map((kind) => sampleTrial({ eval_results: [judged({ kind, short: 0 })] }));
    expect(only(gate, trials)).toMatchObject({ of: 'kind', value: 0.7, met: false });
  });

  it('can be that of one judge among several', () => {
    const trial = sampleTrial({ eval_results: [judged({ kind: 0.1 }), judged({ kind: 1 }, 'style')] });
    expect(only({ ...gate, assertionId: 'style' }, [trial])).toMatchObject({ of: 'style: kind', value: 1, met: true });
  });

  it('is 0 where the agent crashed before anything could be judged', () => {
    const trials = [sampleTrial({ eval_results: [judged({ kind: 1 })] }), sampleTrial({ status: 'crashed' })];
    expect(only(gate, trials)).toMatchObject({ value: 0.5, met: false });
  });

  it('is unknown where the judge does not have it', () => {
    expect(only(gate, [sampleTrial({ eval_results: [judged({ other: 1 })] })])).toMatchObject({
      met: null,
      unknown: 'no_criterion',
    });
  });
});

describe('costs and times', () => {
  const costs = (...usd: (number | null)[]) => usd.map((cost_usd) => sampleTrial({ cost_usd }));

  it('are limits from above: the mean cost, and quantiles of the latency', () => {
    expect(only({ gate: 'max_cost_usd', limit: 0.2 }, costs(0.1, 0.3))).toMatchObject({ value: 0.2, met: true });
    expect(only({ gate: 'max_cost_usd', limit: 0.19 }, costs(0.1, 0.3))).toMatchObject({ met: false });
    const slow = [1, 2, 9].map((latency_seconds) => sampleTrial({ latency_seconds }));
    const p50 = { gate: 'max_latency_seconds', quantile: 'p50', limit: 2 } as const;
    expect(only(p50, slow)).toMatchObject({ of: 'p50', value: 2, met: true });
    expect(only({ ...p50, quantile: 'p95' }, slow)).toMatchObject({ of: 'p95', met: false, interval: null });
  });

  it('are unknown with an unknown price: a part of the cost is not the cost', () => {
    expect(only({ gate: 'max_cost_usd', limit: 1 }, costs(0.1, null))).toMatchObject({
      met: null,
      unknown: 'no_price',
    });
  });
});

describe('luck', () => {
  it('is possible while the interval contains the limit, and takes more trials the nearer they are', () => {
    const scores = [0.7, 0.9, 0.8, 0.9, 0.7].map((score) => sampleTrial({ score }));
    const needed = (min_score: number) => resultsOf({ min_score }, scores)[0]?.needed ?? null;
    expect(needed(0.5)).toBeNull();
    const [far, near] = [needed(0.85), needed(0.81)];
    expect(far).toBeGreaterThan(5);
    expect(near).toBeGreaterThan(far ?? 0);
  });

  it('says nothing where all trials are one draw', () => {
    const scores = [1, 1, 1].map((score) => sampleTrial({ score }));
    expect(resultsOf({ min_score: 0.9 }, scores, true)[0]).toMatchObject({ met: true, interval: null, needed: null });
  });
});
