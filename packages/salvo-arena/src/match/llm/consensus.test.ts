import { describe, expect, it } from 'vitest';
import type { ScoreAnswer } from '../../../../salvo/src/models/scoring/ask-for-scores.ts';
import { consensusOf, opinionOf } from './consensus.ts';

/** True, false, or an error. */
const vote = (says: boolean | string): ScoreAnswer => ({
  scores: typeof says === 'string' ? null : { same_flaw: { score: says ? 1 : 0, reasoning: `I say ${says}` } },
  raw_text: null,
  input_tokens: null,
  output_tokens: null,
  latency_seconds: 0,
  cost_usd: 0,
  repaired: false,
  retries: 0,
  cached: false,
  error: typeof says === 'string' ? says : null,
});
const opinion = (...votes: (boolean | string)[]) => opinionOf(votes.map(vote));

describe("a model's opinion", () => {
  it('is the majority of its votes, with the reason of one of them', () => {
    expect(opinion(false, true, true)).toEqual({ same: true, votes: 3, reasoning: 'I say true', error: null });
    expect(opinion(true, false, false)).toEqual({ same: false, votes: 3, reasoning: 'I say false', error: null });
  });

  it('survives the loss of fewer than half of the votes', () => {
    expect(opinion(true, 'down', true)).toMatchObject({ same: true, votes: 2, error: null });
  });

  it('is null when half of the votes or more are lost, and says why', () => {
    expect(opinion('down', true)).toMatchObject({ same: null, votes: 1, error: 'down' });
    expect(opinion('down', 'down', true)).toMatchObject({ same: null, error: 'down' });
  });

  it('is null when the votes are tied', () => {
    expect(opinion(true, false)).toMatchObject({ same: null, error: 'its votes are tied, 1 to 1' });
  });
});

describe('the consensus', () => {
  const consensus = (...same: (boolean | null)[]) => consensusOf(same.map((each) => ({ same: each })));

  it('is the majority of the models with an opinion', () => {
    expect(consensus(true, true, false)).toBe(true);
    expect(consensus(false, false, true)).toBe(false);
    expect(consensus(null, null, false)).toBe(false);
  });

  it('is null when they are tied, or when no model has an opinion', () => {
    expect([consensus(true, false), consensus(true, false, null), consensus(null), consensus()]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
