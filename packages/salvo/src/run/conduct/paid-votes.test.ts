import { expect, test } from 'vitest';
import { sampleEvalResult, sampleTrial } from '../../../../../test/sample-trial.ts';
import { unusedVotesCost } from './paid-votes.ts';

interface Vote {
  cost_usd: number | null;
  cached?: boolean;
  scores?: object | null;
}

const judged = (votes: Vote[]) =>
  sampleTrial({
    eval_results: [
      sampleEvalResult({
        assertion_id: 'tone',
        metadata: {
          votes: votes.map((vote, index) => ({ vote_number: index + 1, cached: false, scores: {}, ...vote })),
        },
      }),
    ],
  });

test('votes that a later judgement took from the cache are used, all others were paid for in addition', () => {
  const earlier = judged([{ cost_usd: 0.25 }, { cost_usd: 0.5, scores: null }, { cost_usd: 1 }]);
  const judgement = judged([{ cost_usd: 0.25, cached: true }, { cost_usd: 0.5 }, { cost_usd: 1 }]);
  expect(unusedVotesCost(earlier, { judgement })).toEqual({ usd: 1.5 });
});

test('without a later judgement, votes that cannot be cached are lost', () => {
  const earlier = judged([{ cost_usd: 0.25 }, { cost_usd: 0.5, scores: null }]);
  expect(unusedVotesCost(earlier, { hasCache: true })).toEqual({ usd: 0.5 });
  expect(unusedVotesCost(earlier, { hasCache: false })).toEqual({ usd: 0.75 });
});

test('an unknown cost stays unknown, and no judgement costs nothing', () => {
  expect(unusedVotesCost(judged([{ cost_usd: null, scores: null }]), { hasCache: true }).usd).toBeNull();
  expect(unusedVotesCost(null, { hasCache: true })).toEqual({ usd: 0 });
  expect(unusedVotesCost(sampleTrial({ eval_results: [sampleEvalResult()] }), { hasCache: false })).toEqual({ usd: 0 });
});
