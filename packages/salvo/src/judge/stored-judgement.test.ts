import { describe, expect, it } from 'vitest';
import { sampleCriterion, sampleJudgement } from '../../../../test/sample-judgement.ts';
import { readJudgement } from './stored-judgement.ts';

describe('a stored judgement', () => {
  it('is read back with its criteria and votes', () => {
    expect(readJudgement({ ...sampleJudgement() })).toMatchObject({
      judge_model: 'gpt-4o-mini',
      judge_k: 5,
      per_criterion: [{ name: 'polite', score: 0.75 }, { name: 'honest' }],
      dissenting_votes: 1,
    });
  });

  it('is none when the metadata is of another evaluator, or damaged', () => {
    expect(readJudgement({})).toBeNull();
    expect(readJudgement({ judge_model: 'x', per_criterion: 'lost' })).toBeNull();
  });

  it('is none when no vote could be read: there is nothing to show', () => {
    const per_criterion = [sampleCriterion({ score: 0, all_scores: [] })];
    expect(readJudgement({ ...sampleJudgement({ per_criterion }) })).toBeNull();
  });
});
