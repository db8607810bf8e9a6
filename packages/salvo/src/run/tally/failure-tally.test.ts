import { describe, expect, it } from 'vitest';
import { sampleCriterion, sampleJudgement } from '../../../../../test/sample-judgement.ts';
import { onlyCase } from '../../../../../test/sample-run.ts';
import { sampleEvalResult, sampleTrial } from '../../../../../test/sample-trial.ts';
import { createFailureTally } from './failure-tally.ts';
import { trialNames } from './trial-list.ts';

const named = (assertion_id: string, changes: Parameters<typeof sampleEvalResult>[0] = {}) =>
  sampleEvalResult({ assertion_id, ...changes });

describe('createFailureTally', () => {
  it('groups by assertion, not by message, with the example of the first trial', () => {
    const tally = createFailureTally(trialNames([onlyCase(100)]));
    tally.add(sampleTrial({ trial_number: 2, eval_results: [named('a', { score: 0, details: 'second' })] }));
    tally.add(sampleTrial({ trial_number: 1, eval_results: [named('a', { score: 0, details: 'first' })] }));
    tally.add(sampleTrial({ trial_number: 3, eval_results: [named('a')] }));
    tally.add(sampleTrial({ trial_number: 4, eval_results: [named('a')] }));
    expect(tally.failures()).toEqual([
      {
        assertion_type: 'output_contains',
        assertion_id: 'a',
        required: false,
        fail_count: 2,
        fail_rate: 0.5,
        lost_weight: 2,
        example: 'first',
        trial_numbers: [1, 2],
      },
    ]);
  });

  it('names what failed in every trial in which it was scored, with or without a weight', () => {
    const tally = createFailureTally(trialNames([onlyCase(100)]));
    const failed = { score: 0, passed: false } as const;
    for (const trial_number of [1, 2, 3]) {
      tally.add(
        sampleTrial({
          trial_number,
          eval_results: [
            named('never', failed),
            named('once', trial_number === 1 ? {} : failed),
            named('shown', { ...failed, weight: 0 }),
            named('required', { ...failed, weight: 0, required: true }),
            named('seldom scored', trial_number === 2 ? failed : { status: 'unscored', score: 0, passed: false }),
          ],
        }),
      );
    }
    expect(tally.neverPassed()).toEqual([
      { assertion_type: 'output_contains', assertion_id: 'never', trials: 3, counts: true },
      { assertion_type: 'output_contains', assertion_id: 'seldom scored', trials: 1, counts: true },
      { assertion_type: 'output_contains', assertion_id: 'required', trials: 3, counts: true },
      { assertion_type: 'output_contains', assertion_id: 'shown', trials: 3, counts: false },
    ]);
  });

  it('ranks by the weight that was lost, not by how often', () => {
    const tally = createFailureTally(trialNames([onlyCase(100)]));
    tally.add(
      sampleTrial({
        trial_number: 1,
        eval_results: [named('often', { score: 0.5, weight: 1 }), named('heavy', { score: 0, weight: 5 })],
      }),
    );
    tally.add(
      sampleTrial({
        trial_number: 2,
        eval_results: [named('often', { score: 0.5, weight: 1 }), named('heavy', { score: 1, weight: 5 })],
      }),
    );
    expect(tally.failures().map(({ assertion_id, lost_weight }) => [assertion_id, lost_weight])).toEqual([
      ['heavy', 5],
      ['often', 1],
    ]);
  });

  it('puts required ones first among equals', () => {
    const tally = createFailureTally(trialNames([onlyCase(100)]));
    tally.add(
      sampleTrial({
        trial_number: 1,
        eval_results: [named('a', { score: 0, weight: 0 }), named('b', { score: 0, weight: 0, required: true })],
      }),
    );
    expect(tally.failures().map(({ assertion_id }) => assertion_id)).toEqual(['b', 'a']);
  });

  it('leaves out what passed and what could not be scored', () => {
    const tally = createFailureTally(trialNames([onlyCase(100)]));
    tally.add(
      sampleTrial({
        trial_number: 1,
        eval_results: [
          named('passed', { score: 0.9, passed: true }),
          named('untold', { score: 0, status: 'unscored' }),
        ],
      }),
    );
    expect(tally.failures()).toEqual([]);
  });

  it("keeps of a judge's first failure the figures and the beginning of its reasons", () => {
    const failed = (reasoning: string) =>
      named('tone', {
        score: 0.4,
        metadata: { ...sampleJudgement({ per_criterion: [sampleCriterion({ score: 0.4, reasoning })] }) },
      });
    const tally = createFailureTally(trialNames([onlyCase(100)]));
    tally.add(sampleTrial({ trial_number: 2, eval_results: [failed('second')] }));
    tally.add(sampleTrial({ trial_number: 1, eval_results: [failed('x'.repeat(1000))] }));
    const [failure] = tally.failures();
    expect(failure?.judge).toMatchObject({ judge_model: 'gpt-4o-mini', k: 5, dissenting_votes: 1 });
    expect(failure?.judge?.criteria).toEqual([
      { name: 'polite', score: 0.4, all_scores: [1, 1, 1, 1, 1], reasoning: `${'x'.repeat(300)}...` },
    ]);
  });
});
