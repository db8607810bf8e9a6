import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleJudgement } from '../../../../../test/sample-judgement.ts';
import { onlyCase } from '../../../../../test/sample-run.ts';
import { sampleEvalResult, sampleTrial } from '../../../../../test/sample-trial.ts';
import { trialStatusSchema } from '../../evaluators/eval-result.ts';
import { caseReason } from '../../report/run/parts/case-table.ts';
import { verdictReason } from '../../report/run/verdict.ts';
import { KILLED } from '../../stats/cost.ts';
import { wilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { trialCost } from '../record/earlier-trials.ts';
import { scenarioSummarySchema } from '../record/run-document.ts';
import type { TrialCost } from '../record/run-record.ts';
import { createScenarioTally } from './scenario-tally.ts';

const POLICY = { stopped: null, allowUnscored: false, recordOnly: false };

interface Ended extends Partial<typeof POLICY> {
  notJudged?: TrialCost[];
  earlierCosts?: TrialCost[];
}

function summaryOf(trials: TrialResult[], policy: Ended = {}) {
  const tally = createScenarioTally({
    name: 'refunds',
    file: 'scenarios/refunds.yaml',
    model: 'm',
    adapter: 'scripted',
    threshold: 0.8,
    startedAt: '2026-01-01T00:00:00Z',
    gates: { min_pass_rate: 1, min_score: null, further: [] },
    cases: [onlyCase(trials.length + (policy.notJudged?.length ?? 0))],
  });
  for (const trial of trials) tally.add(trial);
  return tally.summary({ ...POLICY, ...policy });
}

function trials(...changes: Partial<TrialResult>[]): TrialResult[] {
  return changes.map((change, index) => sampleTrial({ trial_number: index + 1, ...change }));
}

const anyTrial = fc
  .record({
    status: fc.constantFrom(...trialStatusSchema.options),
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
      decided_by: 'min_pass_rate',
      min_pass_rate: 1,
      min_score: null,
      pass_at_k: { 1: 0.5, 2: expect.closeTo(5 / 6), 3: 1, 4: 1 },
      pass_hat_k: { 1: 0.5, 2: expect.closeTo(1 / 6), 3: 0, 4: 0 },
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

  it('keeps what is known of a cost, and counts the calls that are not', () => {
    const some = { cost_usd: null, cost_at_least: { usd: 0.25, calls_unknown: 2 } };
    expect(summaryOf(trials({ cost_usd: 0.5 }, some, { cost_usd: null }))).toMatchObject({
      cost_total_usd: null,
      cost_at_least: { usd: 0.75, calls_unknown: 3 },
    });
    const judged = { judge_cost_usd: null, judge_cost_at_least: { usd: 0.5, calls_unknown: 1 } };
    expect(summaryOf(trials({ judge_cost_usd: 1 }, judged))).toMatchObject({
      judge_cost_usd: null,
      judge_cost_at_least: { usd: 1.5, calls_unknown: 1 },
    });
    expect(summaryOf(trials({ cost_usd: 0.5 }))).not.toHaveProperty('cost_at_least');
  });

  it('is a lower bound after a kill, unless what was called costs nothing', () => {
    const killed = trialCost({ agent: KILLED, judges: KILLED });
    expect(summaryOf(trials({ cost_usd: 0.5 }), { earlierCosts: [killed] })).toMatchObject({
      cost_total_usd: null,
      cost_at_least: { usd: 0.5, calls_unknown: 0, killed: true },
      judge_cost_usd: 0,
    });
    expect(summaryOf(trials({ cost_usd: 0 }), { earlierCosts: [killed] })).toMatchObject({ cost_total_usd: 0 });
  });

  it('does not know the total when it does not know one cost', () => {
    expect(summaryOf(trials({ cost_usd: 0.1 }, { cost_usd: null }))).toMatchObject({
      cost_total_usd: null,
      cost_per_trial_usd: null,
      judge_cost_usd: 0,
    });
    expect(summaryOf(trials({ judge_cost_usd: null }))).toMatchObject({ cost_total_usd: 0.01, judge_cost_usd: null });
  });

  it('lists as errors only what could not be scored: a failure is among the failures', () => {
    const details = 'call of "pay" is not mocked';
    const eval_results = [sampleEvalResult({ assertion_id: 'on_unmocked', score: 0, details })];
    const summary = summaryOf(trials({ status: 'failed', error_message: details, eval_results }));
    expect(summary.errors).toEqual([]);
    expect(summary.assertion_failures).toMatchObject([{ assertion_id: 'on_unmocked', example: details }]);
  });

  it('counts a crash as a failure with a score of 0, and keeps where it happened', () => {
    const crash = {
      status: 'crashed' as const,
      eval_results: [],
      error_message: 'boom',
      error_code: 'AGENT_CRASHED',
      error_stack: 'Error: boom\n    at plan (agent.ts:1:1)',
    };
    expect(summaryOf(trials({}, crash, crash))).toMatchObject({
      verdict: 'PARTIAL',
      decided_by: 'min_pass_rate',
      trials_scored: 3,
      trials_failed: 0,
      trials_crashed: 2,
      pass_rate: 1 / 3,
      score_avg: 1 / 3,
      errors: [],
      crashes: [{ message: 'boom', code: 'AGENT_CRASHED', stack: crash.error_stack, count: 2, trial_numbers: [2, 3] }],
    });
  });

  it('counts the cost of trials that ran but were not judged', () => {
    const summary = summaryOf(trials({ cost_usd: 0.1 }), {
      notJudged: [
        { cost_usd: 0.2, judge_cost_usd: 0.04 },
        { cost_usd: 0.3, judge_cost_usd: 0 },
      ],
    });
    expect(summary).toMatchObject({
      verdict: 'UNSCORED',
      decided_by: 'missing_trials',
      trials_planned: 3,
      trials_total: 1,
      trials_not_judged: 2,
      cost_total_usd: expect.closeTo(0.6),
      cost_per_trial_usd: expect.closeTo(0.2),
      judge_cost_usd: 0.04,
    });
  });

  it('tells when all scored trials gave the same answer, because they are one draw', () => {
    const same = { answer_hash: 'a' };
    expect(summaryOf(trials(same, same, same))).toMatchObject({
      identical_trials: true,
      pass_rate: 1,
      pass_rate_ci: [expect.closeTo(0.44, 2), 1],
    });
    expect(summaryOf(trials(same, same, { answer_hash: 'b' })).identical_trials).toBe(false);
    expect(summaryOf(trials(same)).identical_trials).toBe(false);
    expect(summaryOf(trials({}, {})).identical_trials).toBe(false);
    const unscored = { status: 'unscored' as const, answer_hash: 'b' };
    expect(summaryOf(trials(same, unscored, same)).identical_trials).toBe(true);
  });

  it('is RECORDED when traces were only to be recorded, unless no agent finished', () => {
    const recorded = { status: 'unscored' as const, error_message: null };
    expect(summaryOf(trials(recorded, { status: 'unscored' }), { recordOnly: true }).verdict).toBe('RECORDED');
    expect(summaryOf(trials({ status: 'unscored' }), { recordOnly: true }).verdict).toBe('UNSCORED');
  });

  it('gives pass@k and pass^k for every k as far as there are trials, and above 1000 for round numbers', () => {
    const ks = (count: number) => Object.keys(summaryOf(trials(...Array(count).fill({}))).pass_at_k).map(Number);
    const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    expect(ks(1)).toEqual([1]);
    expect(ks(4)).toEqual([1, 2, 3, 4]);
    expect(ks(120)).toEqual(upTo(120));
    expect(ks(2500)).toEqual([...upTo(1000), 2000, 2500]);
    expect(Object.keys(summaryOf(trials({}, {}, {}, {}, {})).pass_hat_k)).toEqual(['1', '2', '3', '4', '5']);
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
        const { trials_passed, trials_failed, trials_hard_failed, trials_crashed } = summary;
        expect(trials_passed + trials_failed + trials_hard_failed + trials_crashed).toBe(summary.trials_scored);
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

describe('a scenario with data', () => {
  const cases = ['a', 'b', 'c', 'd'].map((name, index) => ({
    index,
    name,
    trials: index === 3 ? 0 : 4,
    skip: null,
    quarantine: null,
  }));
  const skipped = cases.map((each) => (each.index === 3 ? { ...each, skip: 'later' } : each));
  /** Case a passes always, b never, c in half of its trials. */
  const results = [4, 0, 2].flatMap((passes, index) =>
    Array.from({ length: 4 }, (_, at) =>
      sampleTrial({
        case_index: index,
        case: cases[index]?.name ?? null,
        trial_number: at + 1,
        status: at < passes ? 'passed' : 'failed',
        eval_results: [sampleEvalResult({ score: at < passes ? 1 : 0, details: `trial ${at + 1}` })],
        answer_hash: 'the same',
      }),
    ),
  );
  const tallied = (order: TrialResult[]) => {
    const names = {
      name: 'n',
      file: 'f',
      model: 'm',
      adapter: 'a',
      threshold: 0.8,
      startedAt: '2026-01-01T00:00:00Z',
      gates: { min_pass_rate: 1, min_score: null, further: [] },
    };
    const tally = createScenarioTally({ ...names, cases: skipped });
    for (const trial of order) tally.add(trial);
    return tally.summary(POLICY);
  };

  it('has a summary for each case, in the order of the rows, whatever the order of the trials', () => {
    const summary = tallied(results);
    expect(summary.cases.map((each) => [each.case, each.verdict, each.trials_passed, each.trials_total])).toEqual([
      ['a', 'PASS', 4, 4],
      ['b', 'FAIL', 0, 4],
      ['c', 'PARTIAL', 2, 4],
      ['d', 'SKIPPED', 0, 0],
    ]);
    expect(summary.cases.map(({ reason }) => reason)).toEqual([null, 'trial 1', 'trial 3', null]);
    expect(tallied(results.toReversed())).toEqual(summary);
    expect(summary).toMatchObject({
      trials_planned: 12,
      trials_total: 12,
      verdict: 'PARTIAL',
      identical_trials: false,
    });
  });

  it('has the scores of the judge that failed a case first, for words instead of its details', () => {
    const judged = sampleEvalResult({
      score: 0.4,
      details: 'judge=m k=5 votes=5/5',
      metadata: { ...sampleJudgement() },
    });
    const [summary] = tallied([sampleTrial({ case_index: 0, status: 'failed', eval_results: [judged] })]).cases;
    expect(summary?.judge?.criteria.map(({ name, score }) => [name, score])).toEqual([
      ['polite', 0.75],
      ['honest', 1],
    ]);
    expect(summary && caseReason(summary)).toBe('polite 0.75, honest 1.00 (output_contains:"x")');
  });

  it('has an interval that is as wide as its few cases make it, not as its many trials would', () => {
    const { pass_rate, pass_rate_ci } = tallied(results);
    const [low, high] = pass_rate_ci ?? [0.5, 0.5];
    const [wilsonLow, wilsonHigh] = wilsonInterval({ passed: 6, total: 12 }) ?? [0.5, 0.5];
    expect(pass_rate).toBe(0.5);
    expect(high - low).toBeGreaterThan(wilsonHigh - wilsonLow);
  });

  it('weighs each case the same, however many trials it has', () => {
    const sizes = [10, 2];
    const gates = { min_pass_rate: 0.8, min_score: 0.8, further: [] };
    const tally = createScenarioTally({
      ...{ name: 'n', file: 'f', model: 'm', adapter: 'a', threshold: 0.8, startedAt: '2026-01-01T00:00:00Z', gates },
      cases: sizes.map((trials, index) => ({ index, name: `${index}`, trials, skip: null, quarantine: null })),
    });
    for (const [index, size] of sizes.entries()) {
      const outcome =
        index === 0 ? ({ status: 'passed', score: 1 } as const) : ({ status: 'failed', score: 0 } as const);
      for (let at = 1; at <= size; at += 1) tally.add(sampleTrial({ case_index: index, trial_number: at, ...outcome }));
    }
    const summary = tally.summary(POLICY);
    expect(summary).toMatchObject({ trials_passed: 10, trials_scored: 12, pass_rate: 0.5, score_avg: 0.5 });
    expect(summary).toMatchObject({ verdict: 'PARTIAL', decided_by: 'min_pass_rate' });
    expect(summary.gates.map(({ value, met }) => [value, met])).toEqual([
      [0.5, false],
      [0.5, false],
    ]);
    expect(verdictReason(summary)).toBe(
      '10 of 12 trials passed, 50% as a mean over cases; 80% must pass (min_pass_rate)',
    );
  });

  it('says how often k trials of the same case pass, as a mean over the cases', () => {
    const { pass_hat_k, pass_at_k } = tallied(results);
    expect(pass_hat_k['1']).toBeCloseTo(0.5);
    expect(pass_hat_k['2']).toBeCloseTo((1 + 0 + 1 / 6) / 3);
    expect(pass_at_k['3']).toBeCloseTo((1 + 0 + 1) / 3);
    expect(Object.keys(pass_hat_k)).toEqual(['1', '2', '3', '4']);
  });

  it('names the cases in which an assertion failed', () => {
    const [failure] = tallied(results).assertion_failures;
    expect(failure).toMatchObject({ fail_count: 6, example: 'trial 1', trial_numbers: [1, 2, 3, 4, 3, 4] });
    expect(failure?.trial_cases).toEqual(['b', 'b', 'b', 'b', 'c', 'c']);
  });
});
