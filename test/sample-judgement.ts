import type { CriterionOutcome, JudgeMetadata, VoteRecord } from '../packages/salvo/src/judge/votes/judge-metadata.ts';

/** A judgement of five votes on two criteria, one of them disputed, but for what the test says. */
export function sampleJudgement(changes: Partial<JudgeMetadata> = {}): JudgeMetadata {
  return {
    judge_model: 'gpt-4o-mini',
    judge_adapter: 'openai',
    judge_k: 5,
    judge_cost_usd: 0.0021,
    per_criterion: [
      sampleCriterion({
        name: 'polite',
        score: 0.75,
        all_scores: [0.5, 0.75, 0.75, 0.9, 0.75],
        reasoning: 'It greets the customer, but never says sorry.',
      }),
      sampleCriterion({ name: 'honest', reasoning: 'Every figure is from the order.' }),
    ],
    votes: [1, 2, 3, 4, 5].map((vote_number) => sampleVote({ vote_number })),
    aggregation: 'median',
    threshold: 0.9,
    dissenting_votes: 1,
    saved_calls: 0,
    cached_votes: 0,
    repaired_votes: 0,
    retries: 0,
    notes: [],
    judge_hash: 'c0ffee',
    panel: null,
    ...changes,
  };
}

export function sampleCriterion(changes: Partial<CriterionOutcome> = {}): CriterionOutcome {
  const score = changes.score ?? 1;
  const all_scores = changes.all_scores ?? [1, 1, 1, 1, 1];
  return {
    name: 'polite',
    score,
    median_score: score,
    all_scores,
    weight: 1,
    range: all_scores.length === 0 ? null : [Math.min(...all_scores), Math.max(...all_scores)],
    reasoning: null,
    ...changes,
  };
}

function sampleVote(changes: Partial<VoteRecord> = {}): VoteRecord {
  return {
    vote_number: 1,
    judge_adapter: 'openai',
    judge_model: 'gpt-4o-mini',
    scores: { polite: { score: 1, reasoning: 'Polite.' } },
    score: 1,
    passed: true,
    raw_text: null,
    input_tokens: 900,
    output_tokens: 80,
    latency_seconds: 1,
    cost_usd: 0.0004,
    repaired: false,
    retries: 0,
    cached: false,
    error: null,
    ...changes,
  };
}
