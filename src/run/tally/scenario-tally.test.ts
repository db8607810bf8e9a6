import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleEvalResult, sampleTrial } from '../../../test/sample-trial.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { scenarioSummarySchema } from '../run-document.ts';
import { createScenarioTally } from './scenario-tally.ts';

const POLICY = { stopped: null, allowUnscored: false, minPassRate: null, recordOnly: false };

function summaryOf(trials: TrialResult[], policy: Partial<typeof POLICY> = {}) {
  const tally = createScenarioTally({
    name: 'refunds',
    file: 'scenarios/refunds.yaml',
    model: 'm',
    adapter: 'scripted',
    threshold: 0.8,
    trialsPlanned: trials.length,
  });
  for (const trial of trials) tally.add(trial);
  return tally.summary({ ...POLICY, ...policy });
}

function trials(...changes: Partial<TrialResult>[]): TrialResult[] {
  return changes.map((change, index) => sampleTrial({ trial_number: index + 1, ...change }));
}

const anyTrial = fc
  .record({
    status: fc.constantFrom('passed' as const, 'failed' as const, 'hard_fail' as const, 'unscored' as const),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    latency_seconds: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    cost_usd: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 20 }),
    retries: fc.nat(3),
    weights: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
    error: fc.option(fc.constantFrom('down', 'late')),
  })
  .map(({ weights, error, score, ...trial }) =>
    sampleTrial({
      ...trial,
      score: trial.status === 'unscored' ? null : score,
      error_message: error,
      eval_results: weights.map((weight, index) =>
        sampleEvalResult({ assertion_id: `a${index}`, weight, score: score / (index + 1), passed: score > 0.5 }),
      ),
    }),
  );

describe('createScenarioTally', () => {
  it('summarises the trials of a scenario', () => {
    const summary = summaryOf(
      trials(
        { latency_seconds: 1, cost_usd: 0.1, retries: 2 },
        { status: 'failed', score: 0.5, latency_seconds: 3, cost_usd: 0.2 },
        { latency_seconds: 2, cost_usd: 0.3 },
        { status: 'failed', score: 0.3, latency_seconds: 4, cost_usd: 0.1 },
      ),
    );
    expect(scenarioSummarySchema.parse(summary)).toEqual(summary);
    expect(summary).toMatchObject({
      name: 'refunds',
      verdict: 'PARTIAL',
      trials_planned: 4,
      trials_total: 4,
      trials_scored: 4,
      trials_passed: 2,
      trials_failed: 2,
      pass_rate: 0.5,
      pass_rate_ci: [expect.closeTo(0.15, 2), expect.closeTo(0.85, 2)],
      pass_at_k: { 1: 0.5, 2: expect.closeTo(5 / 6), 3: 1 },
      pass_hat_k: { 1: 0.5, 2: expect.closeTo(1 / 6), 3: 0 },
      score_avg: 0.7,
      score_min: 0.3,
      score_p50: 0.75,
      score_p95: 1,
      cost_total_usd: 0.7,
      cost_per_trial_usd: 0.175,
      judge_cost_usd: 0,
      latency_p50: 2.5,
      retries: 2,
      errors: [],
    });
  });

  it('leaves unscored trials out of every metric but the counts and the bill', () => {
    const summary = summaryOf(
      trials(
        { cost_usd: 0.1 },
        {
          status: 'unscored',
          cost_usd: 0.4,
          latency_seconds: 99,
          eval_results: [sampleEvalResult({ score: 0 })],
          error_message: 'judge: unreadable',
        },
      ),
    );
    expect(summary).toMatchObject({
      verdict: 'UNSCORED',
      trials_total: 2,
      trials_scored: 1,
      trials_unscored: 1,
      pass_rate: 1,
      score_min: 1,
      latency_p95: 1,
      cost_total_usd: 0.5,
      assertion_failures: [],
      errors: [{ message: 'judge: unreadable', count: 1, trial_numbers: [2] }],
    });
  });

  it('has no figures, rather than zeros, when nothing was scored', () => {
    for (const summary of [summaryOf([]), summaryOf(trials({ status: 'unscored' }))]) {
      expect(summary).toMatchObject({
        verdict: 'UNSCORED',
        pass_rate: null,
        pass_rate_ci: null,
        pass_at_k: {},
        pass_hat_k: {},
        score_avg: null,
        score_min: null,
        score_p50: null,
        score_p95: null,
        latency_p50: null,
        latency_p95: null,
      });
    }
  });

  it('does not know the total when it does not know one cost', () => {
    expect(summaryOf(trials({ cost_usd: 0.1 }, { cost_usd: null }))).toMatchObject({
      cost_total_usd: null,
      cost_per_trial_usd: null,
      judge_cost_usd: 0,
    });
    expect(summaryOf(trials({ judge_cost_usd: null }))).toMatchObject({ cost_total_usd: 0.01, judge_cost_usd: null });
  });

  it('lists why a trial failed when no assertion was asked', () => {
    const failed = { status: 'failed' as const, error_message: 'call of "pay" is not mocked' };
    expect(summaryOf(trials(failed)).errors).toEqual([
      { message: 'call of "pay" is not mocked', count: 1, trial_numbers: [1] },
    ]);
  });

  it('is RECORDED when traces were only to be recorded, unless no agent finished', () => {
    const recorded = { status: 'unscored' as const, error_message: null };
    expect(summaryOf(trials(recorded, { status: 'unscored' }), { recordOnly: true }).verdict).toBe('RECORDED');
    expect(summaryOf(trials({ status: 'unscored' }), { recordOnly: true }).verdict).toBe('UNSCORED');
  });

  it('gives pass@k for round numbers as far as there are trials', () => {
    const ks = (count: number) => Object.keys(summaryOf(trials(...Array(count).fill({}))).pass_at_k).map(Number);
    expect(ks(1)).toEqual([1]);
    expect(ks(4)).toEqual([1, 2, 3]);
    expect(ks(20)).toEqual([1, 2, 3, 5, 10, 20]);
    expect(ks(120)).toEqual([1, 2, 3, 5, 10, 20, 50, 100]);
  });

  it('counts hard fails without a score, and averages the others', () => {
    expect(summaryOf(trials({}, { status: 'hard_fail', score: null }))).toMatchObject({
      verdict: 'HARD_FAIL',
      trials_scored: 2,
      pass_rate: 0.5,
      score_avg: 1,
    });
  });

  it('is bit-identical for every order of the trials', () => {
    fc.assert(
      fc.property(
        fc
          .array(anyTrial, { maxLength: 40 })
          .map((list) => list.map((trial, index) => ({ ...trial, trial_number: index + 1 })))
          .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([inOrder, shuffled]) => {
          expect(JSON.stringify(summaryOf(shuffled))).toBe(JSON.stringify(summaryOf(inOrder)));
        },
      ),
    );
  });

  it('always gives a summary that fits its schema, with numbers within their bounds', () => {
    fc.assert(
      fc.property(fc.array(anyTrial, { maxLength: 40 }), (list) => {
        const numbered = list.map((trial, index) => ({ ...trial, trial_number: index + 1 }));
        const summary = scenarioSummarySchema.parse(summaryOf(numbered));
        const { score_min, score_avg, score_p50, score_p95, pass_rate, pass_rate_ci } = summary;
        expect(summary.trials_passed + summary.trials_failed + summary.trials_hard_failed).toBe(summary.trials_scored);
        if (score_min === null || score_avg === null || pass_rate === null || pass_rate_ci === null)
          return fc.pre(false);
        expect(score_avg).toBeGreaterThanOrEqual(score_min);
        expect(score_p50).toBeGreaterThanOrEqual(score_min);
        expect(score_p95).toBeGreaterThanOrEqual(score_p50 ?? 2);
        expect(pass_rate_ci[0]).toBeLessThanOrEqual(pass_rate);
        expect(pass_rate_ci[1]).toBeGreaterThanOrEqual(pass_rate);
      }),
    );
  });
});
