import { expect, test } from 'vitest';
import { sampleSummary } from '../../../../../test/sample-run.ts';
import type { ScenarioSummary } from '../record/run-document.ts';
import { type MatrixTrial, runMatrix } from './run-matrix.ts';

const trials = (outcomes: string): MatrixTrial[] =>
  [...outcomes].map((outcome, index) => ({
    case: null,
    trial: index + 1,
    passed: outcome === '?' ? null : outcome === '1',
    score: null,
    latency_seconds: index,
  }));

/** Scenarios with a model each: `s a 111`, the outcomes of its trials at the end. */
const matrixOf = (entries: readonly string[], change: Partial<ScenarioSummary> = {}) => {
  const parts = entries.map((entry) => entry.split(' '));
  const summaries = parts.map(([name = '', model = '']) =>
    sampleSummary({ name, file: `${name}.yaml`, model, trials_total: 20, cost_total_usd: 0.2, ...change }),
  );
  return runMatrix(summaries, { trials: parts.map(([, , outcomes = '']) => trials(outcomes)), seed: null });
};

test('a run without a scenario with several models is no matrix', () => {
  expect(matrixOf(['s a 11', 't b 11'])).toBeNull();
});

test('every model is compared with the first, where both ran', () => {
  const [all, half] = ['1'.repeat(20), '10'.repeat(10)];
  const matrix = matrixOf([`s a ${all}`, `s b ${half}`, `s c ${all}`, `t b ${half}`, `t c ${all}`]);
  expect(matrix?.base).toBe('a');
  expect(matrix?.comparisons.map(({ name, model, conclusion }) => `${name} ${model} ${conclusion}`)).toEqual([
    's b worse',
    's c no_evidence',
  ]);
  expect(matrix?.models.map(({ label, scenarios, compared }) => [label, scenarios, compared?.worse])).toEqual([
    ['a', 1, undefined],
    ['b', 2, 1],
    ['c', 2, 0],
  ]);
});

test('the p values are corrected for all models and scenarios together', () => {
  const [all, some] = ['1'.repeat(20), '1'.repeat(14) + '0'.repeat(6)];
  expect(matrixOf([`s a ${all}`, `s b ${some}`])?.comparisons[0]).toMatchObject({ conclusion: 'worse' });
  const more = matrixOf([`s a ${all}`, `s b ${some}`, `s c ${all}`, `t a ${all}`, `t b ${all}`, `t c ${all}`]);
  // Two models on two scenarios, and half of the error rate is for both together.
  expect(more?.comparisons[0]).toMatchObject({ conclusion: 'too_few_trials', p_holm: expect.closeTo(8 * 0.0202, 3) });
  expect(more?.models.map(({ together }) => together?.scenarios ?? null)).toEqual([null, 2, 2]);
});

test('a model whose trials could not be scored is not called worse, and an unknown cost stays unknown', () => {
  const matrix = matrixOf(['s a 1111', 's b ????'], { cost_total_usd: null });
  expect(matrix?.comparisons[0]?.conclusion).toBe('not_comparable');
  expect(matrix?.models[1]).toMatchObject({ cost_per_trial_usd: null, latency_p50: null });
  expect(matrix?.models[0]?.latency_p50).toBe(1.5);
});

test('what is in quarantine is not compared', () => {
  const numbers = { trials_planned: 20, trials_total: 20, trials_scored: 20, trials_passed: 20, trials_unscored: 0 };
  const rest = { case_index: 0, skipped: null, quarantine: null, score_avg: null, reason: null };
  const aside = [{ case: 'a', verdict: 'QUARANTINED' as const, ...numbers, ...rest }];
  const matrix = (verdict: ScenarioSummary['verdict'], cases: ScenarioSummary['cases']) => {
    const own = { name: 's', file: 's.yaml', verdict, cases };
    const of = (outcomes: string) =>
      trials(outcomes).map((trial) => ({ ...trial, case: trial.trial > 20 ? 'a' : 'b' }));
    return runMatrix([sampleSummary({ ...own, model: 'x' }), sampleSummary({ ...own, model: 'y' })], {
      trials: [of('10'.repeat(10) + '1'.repeat(20)), of('10'.repeat(10) + '0'.repeat(20))],
      seed: null,
    });
  };
  expect(matrix('PASS', [])?.comparisons[0]?.conclusion).toBe('worse');
  expect(matrix('PASS', aside)?.comparisons[0]?.difference?.value).toBe(0);
  expect(matrix('QUARANTINED', [])?.comparisons).toEqual([]);
});
