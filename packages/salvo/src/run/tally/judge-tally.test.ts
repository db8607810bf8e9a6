import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleEvalResult } from '../../../../../test/sample-trial.ts';
import type { EvalResult } from '../../evaluators/eval-result.ts';
import { judgeSummarySchema } from '../record/judge-summary.ts';
import { createJudgeTally } from './judge-tally.ts';

type Panel = { judge_model: string; score: number | null; passed: boolean | null }[];

function judged(change: Partial<EvalResult> = {}, facts: Record<string, unknown> = {}): EvalResult {
  return sampleEvalResult({
    assertion_type: 'judge',
    assertion_id: 'tone',
    metadata: {
      judge_model: 'judge-1',
      judge_adapter: 'openai',
      judge_hash: 'h1',
      threshold: 0.8,
      votes: [{ scores: {} }, { scores: {} }, { scores: null }],
      dissenting_votes: 1,
      saved_calls: 2,
      cached_votes: 1,
      repaired_votes: 1,
      retries: 3,
      panel: null,
      ...facts,
    },
    ...change,
  });
}

function panel(...verdicts: (boolean | null)[]): EvalResult {
  const judges: Panel = verdicts.map((passed, index) => ({
    judge_model: `judge-${index + 1}`,
    score: passed === null ? null : Number(passed),
    passed,
  }));
  return judged({}, { panel: { judges } });
}

function tallied(trials: EvalResult[][]) {
  const tally = createJudgeTally({ hasCases: false });
  for (const eval_results of trials) tally.add({ case_index: 0, eval_results });
  return tally.judges();
}

describe('createJudgeTally', () => {
  it('counts verdicts and votes of each judge', () => {
    const [summary, ...others] = tallied([[judged()], [judged({ passed: false, score: 0.2 })]]);
    expect(others).toEqual([]);
    expect(judgeSummarySchema.parse(summary)).toEqual({
      assertion_id: 'tone',
      judge_model: 'judge-1',
      judge_adapter: 'openai',
      judge_hash: 'h1',
      calibrated: null,
      calibration_verdict: null,
      calibration_note: null,
      threshold: 0.8,
      trials_judged: 2,
      pass_rate: 0.5,
      trials_cut: 0,
      trials_in_parts: 0,
      pass_rate_ci: [expect.closeTo(0.0945, 3), expect.closeTo(0.9055, 3)],
      trials_worth: 2,
      corrected_pass_rate: null,
      corrected_ci: null,
      votes_cast: 6,
      votes_saved: 4,
      votes_cached: 2,
      votes_repaired: 2,
      retries: 6,
      dissent_rate: 0.5,
      pairwise_kappa: [],
      krippendorff_alpha: null,
    });
  });

  it('counts the trials of which the judge did not see all, and those in parts', () => {
    const cut = { left_out: [{ what: 'final response', characters: 9 }], material: { parts: 1 } };
    const inParts = { left_out: [], material: { parts: 3 } };
    const trials = [{}, cut, inParts].map((more) => {
      const result = judged();
      return [{ ...result, metadata: { ...result.metadata, ...more } }];
    });
    expect(tallied(trials)).toMatchObject([{ trials_judged: 3, trials_cut: 1, trials_in_parts: 1 }]);
  });

  it('counts the votes of a trial that could not be scored, and no verdict', () => {
    const [summary] = tallied([[judged({ status: 'unscored', passed: false })]]);
    expect(summary).toMatchObject({ votes_cast: 3, trials_judged: 0, pass_rate: null, dissent_rate: null });
  });

  it('takes no other assertion for a judge, and no judge that threw', () => {
    expect(tallied([[sampleEvalResult({ metadata: judged().metadata }), judged({ metadata: {} })]])).toEqual([]);
  });

  it('keeps judges apart: by assertion, and by what makes them this judge', () => {
    const judges = tallied([[judged({ assertion_id: 'b' }), judged()], [judged({}, { judge_hash: 'h2' })]]);
    expect(judges.map(({ assertion_id, judge_hash }) => `${assertion_id} ${judge_hash}`)).toEqual([
      'b h1',
      'tone h1',
      'tone h2',
    ]);
  });

  it('measures how far the judges of a panel agree over the trials', () => {
    const [agreeing] = tallied([[panel(true, true)], [panel(false, false)], [panel(true, true)]]);
    expect(agreeing).toMatchObject({
      pairwise_kappa: [{ a: 'judge-1', b: 'judge-2', kappa: 1 }],
      krippendorff_alpha: 1,
    });
    const [opposed] = tallied([[panel(true, false)], [panel(false, true)]]);
    expect(opposed?.pairwise_kappa[0]?.kappa).toBe(-1);
    expect(opposed?.krippendorff_alpha).toBeLessThan(0);
  });

  it('compares each two judges of a panel where both have a verdict', () => {
    const [summary] = tallied([[panel(true, true, null)], [panel(false, false, true)], [panel(false, true, false)]]);
    expect(summary?.pairwise_kappa.map(({ a, b }) => `${a} ${b}`)).toEqual([
      'judge-1 judge-2',
      'judge-1 judge-3',
      'judge-2 judge-3',
    ]);
    expect(summary?.pairwise_kappa[2]?.kappa).toBe(-1);
  });

  it('takes the trials of a case for what they tell of other cases', () => {
    const tally = createJudgeTally({ hasCases: true });
    for (let index = 0; index < 10; index += 1) {
      for (let trial = 0; trial < 20; trial += 1) {
        tally.add({ case_index: index, eval_results: [judged({ passed: index < 6 })] });
      }
    }
    const [summary] = tally.judges();
    // Ten cases, each always right or always wrong, are ten observations and not two hundred.
    expect(summary).toMatchObject({ trials_judged: 200, pass_rate: 0.6 });
    expect(summary?.trials_worth).toBeLessThan(10);
    expect(summary?.pass_rate_ci?.[0]).toBeLessThan(0.3);
  });

  it('is the same for every order of the trials', () => {
    const anyTrial = fc.oneof(
      fc.tuple(fc.boolean(), fc.boolean(), fc.option(fc.boolean())).map((verdicts) => panel(...verdicts)),
      fc.boolean().map((passed) => judged({ passed }, { judge_hash: 'h2' })),
    );
    fc.assert(
      fc.property(fc.array(anyTrial, { maxLength: 20 }), (trials) => {
        const inOrder = trials.map((trial) => [trial]);
        expect(JSON.stringify(tallied(inOrder.toReversed()))).toBe(JSON.stringify(tallied(inOrder)));
      }),
    );
  });
});
