import { describe, expect, it } from 'vitest';
import { sampleJudgement } from '../../../../../../test/sample-judgement.ts';
import type { EvalResult } from '../../../evaluators/eval-result.ts';
import type { JudgeMetadata } from '../../../judge/votes/judge-metadata.ts';
import { judgementView } from './judgement-view.ts';

function viewOf(changes: Partial<JudgeMetadata> = {}) {
  const result: EvalResult = {
    assertion_type: 'judge',
    assertion_id: 'judge',
    score: 1,
    passed: true,
    weight: 1,
    required: false,
    status: 'scored',
    details: '',
    metadata: { ...sampleJudgement(changes) },
  };
  return judgementView(result, () => undefined);
}

describe('what a judge saw', () => {
  it('is unknown of a judgement that was stored before it was recorded', () => {
    expect(viewOf()).toMatchObject({ parts: 1, saw_all: null });
  });

  it('is all of it, in so many parts', () => {
    const material = { characters: 500_000, limit: 200_000, parts: 3 };
    const votes = sampleJudgement().votes.map((vote) => ({
      ...vote,
      part_scores: [{ polite: 1 }, null, { polite: 0.5 }],
    }));
    const view = viewOf({ material, left_out: [], votes });
    expect(view).toMatchObject({ parts: 3, saw_all: true });
    expect(view?.votes[0]?.reasons).toMatchObject([{ criterion: 'polite', part_scores: [1, null, 0.5] }]);
  });

  it('is not all of it if something was left out, and the note says what', () => {
    const note = 'The judge did not see 6,024 characters: final response (6,024).';
    const view = viewOf({ left_out: [{ what: 'final response', characters: 6024 }], notes: [note] });
    expect(view).toMatchObject({ saw_all: false, notes: [note] });
  });
});
