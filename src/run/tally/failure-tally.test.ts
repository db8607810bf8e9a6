import { describe, expect, it } from 'vitest';
import { sampleCriterion, sampleJudgement } from '../../../test/sample-judgement.ts';
import { sampleEvalResult } from '../../../test/sample-trial.ts';
import { createFailureTally } from './failure-tally.ts';

const named = (assertion_id: string, changes: Parameters<typeof sampleEvalResult>[0] = {}) =>
  sampleEvalResult({ assertion_id, ...changes });

describe('createFailureTally', () => {
  it('groups by assertion, not by message, with the example of the first trial', () => {
    const tally = createFailureTally();
    tally.add([named('a', { score: 0, details: 'second' })], 2);
    tally.add([named('a', { score: 0, details: 'first' })], 1);
    tally.add([named('a')], 3);
    tally.add([named('a')], 4);
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

  it('ranks by the weight that was lost, not by how often', () => {
    const tally = createFailureTally();
    tally.add([named('often', { score: 0.5, weight: 1 }), named('heavy', { score: 0, weight: 5 })], 1);
    tally.add([named('often', { score: 0.5, weight: 1 }), named('heavy', { score: 1, weight: 5 })], 2);
    expect(tally.failures().map(({ assertion_id, lost_weight }) => [assertion_id, lost_weight])).toEqual([
      ['heavy', 5],
      ['often', 1],
    ]);
  });

  it('puts required ones first among equals', () => {
    const tally = createFailureTally();
    tally.add([named('a', { score: 0, weight: 0 }), named('b', { score: 0, weight: 0, required: true })], 1);
    expect(tally.failures().map(({ assertion_id }) => assertion_id)).toEqual(['b', 'a']);
  });

  it('leaves out what passed and what could not be scored', () => {
    const tally = createFailureTally();
    tally.add([named('passed', { score: 0.9, passed: true }), named('untold', { score: 0, status: 'unscored' })], 1);
    expect(tally.failures()).toEqual([]);
  });

  it("keeps of a judge's first failure the figures and the beginning of its reasons", () => {
    const failed = (reasoning: string) =>
      named('tone', {
        score: 0.4,
        metadata: { ...sampleJudgement({ per_criterion: [sampleCriterion({ score: 0.4, reasoning })] }) },
      });
    const tally = createFailureTally();
    tally.add([failed('second')], 2);
    tally.add([failed('x'.repeat(1000))], 1);
    const [failure] = tally.failures();
    expect(failure?.judge).toMatchObject({ judge_model: 'gpt-4o-mini', k: 5, dissenting_votes: 1 });
    expect(failure?.judge?.criteria).toEqual([
      { name: 'polite', score: 0.4, all_scores: [1, 1, 1, 1, 1], reasoning: `${'x'.repeat(300)}...` },
    ]);
  });
});
