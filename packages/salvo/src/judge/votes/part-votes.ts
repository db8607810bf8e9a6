import { askForScores, type ScoreAnswer, type ScoreQuestion } from '../../models/scoring/ask-for-scores.ts';
import type { CriterionScore, VoteScores } from '../../models/scoring/read-scores.ts';
import { runPool } from '../../queue/run-pool.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { sumCosts } from '../../stats/cost.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { agentCost, agentCostFields } from '../../trace/cost-fields.ts';
import type { PartScores } from './judge-metadata.ts';

/** Of one vote. All votes of a judgement are under way at once, so there are enough requests. */
const PARTS_AT_ONCE = 4;

export interface PartedAnswer extends ScoreAnswer {
  /** By part; missing when there is only one. */
  part_scores?: PartScores[];
}

/**
 * One vote: the scores of each part of the material as one. A part without readable scores loses the vote, because
 * nobody knows what it would have said; then the parts that are not under way yet are not asked about.
 */
export async function askAboutParts(
  questions: readonly ScoreQuestion[],
  criteria: readonly CriterionLike[],
): Promise<PartedAnswer> {
  const [only, second] = questions;
  if (only && !second) return askForScores(only);
  const answers: (ScoreAnswer | undefined)[] = questions.map(() => undefined);
  const lost = new AbortController();
  await runPool({
    jobs: questions.entries(),
    concurrency: PARTS_AT_ONCE,
    stop: lost.signal,
    perform: async ([index, question]) => {
      const answer = await askForScores(question);
      answers[index] = answer;
      if (answer.scores === null) lost.abort();
    },
  });
  return combinedAnswer(answers, criteria);
}

function combinedAnswer(
  answers: readonly (ScoreAnswer | undefined)[],
  criteria: readonly CriterionLike[],
): PartedAnswer {
  const asked = answers.flatMap((answer, index) => (answer ? [{ answer, place: `Part ${index + 1}` }] : []));
  const failed = asked.find(({ answer }) => answer.scores === null);
  const sumOf = (field: 'input_tokens' | 'output_tokens') => sumOrUnknown(asked.map(({ answer }) => answer[field]));
  const scores = answers.map((answer) => answer?.scores ?? null);
  return {
    scores: failed ? null : combinedScores(scores, criteria),
    raw_text: failed?.answer.raw_text ?? null,
    input_tokens: sumOf('input_tokens'),
    output_tokens: sumOf('output_tokens'),
    latency_seconds: asked.reduce((total, { answer }) => total + answer.latency_seconds, 0),
    ...agentCostFields(sumCosts(asked.map(({ answer }) => agentCost(answer)))),
    repaired: asked.some(({ answer }) => answer.repaired),
    retries: asked.reduce((total, { answer }) => total + answer.retries, 0),
    cached: asked.every(({ answer }) => answer.cached),
    error: failed ? `${failed.place} of ${answers.length}: ${failed.answer.error ?? 'no scores'}` : null,
    part_scores: scores.map((vote) => (vote ? scoresOnly(vote) : null)),
  };
}

/**
 * The lowest score of each criterion over the parts, or the highest with `parts: any`, with the reasoning of that part.
 * A criterion that a part left out has the score 0 there, as in any vote.
 */
function combinedScores(
  votes: readonly (VoteScores | null)[],
  criteria: readonly Pick<CriterionLike, 'name' | 'parts'>[],
): VoteScores {
  const combined = criteria.flatMap(({ name, parts = 'all' }): [string, CriterionScore][] => {
    const scored = votes.flatMap((vote, index) => {
      const given = vote && Object.hasOwn(vote, name) ? vote[name] : undefined;
      return given ? [{ ...given, part: index + 1 }] : [];
    });
    // Left out of the vote, so that it counts 0.
    if (parts === 'all' && scored.length < votes.length) return [];
    const [first, ...others] = scored;
    if (!first) return [];
    const decides = (a: number, b: number) => (parts === 'all' ? a < b : a > b);
    const { score, reasoning, part } = others.reduce(
      (best, each) => (decides(each.score, best.score) ? each : best),
      first,
    );
    return [[name, { score, reasoning: `Part ${part} of ${votes.length}: ${reasoning}` }]];
  });
  return Object.fromEntries(combined);
}

function scoresOnly(vote: VoteScores): Record<string, number> {
  return Object.fromEntries(Object.entries(vote).map(([name, { score }]) => [name, score]));
}
