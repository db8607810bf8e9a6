import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { cohenKappa } from '../../stats/cohen-kappa.ts';
import { effectiveVotes, intraclassCorrelation } from '../../stats/intraclass-correlation.ts';
import { krippendorffAlpha } from '../../stats/krippendorff-alpha.ts';
import { meetsThreshold } from '../../stats/meets-threshold.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { aggregateKVotes } from './aggregation.ts';
import type { Judge } from './cast-vote.ts';
import type { JudgeMetadata, PanelJudgeOutcome, VoteRecord } from './judge-metadata.ts';

type Panel = NonNullable<JudgeMetadata['panel']>;

/** The outcome of each judge of a panel, and how far the judges agree over the criteria. */
export function panelOutcome(options: {
  judges: readonly Judge[];
  votes: readonly VoteRecord[];
  criteria: readonly CriterionLike[];
  threshold: number;
  aggregation: JudgeMetadata['aggregation'];
}): Panel {
  const { judges, votes, criteria, threshold } = options;
  const readable = votes.flatMap(({ scores }) => (scores ? [scores] : []));
  const units = criteria.map(({ name }) => readable.map((scores) => scores[name]?.score ?? null));
  const columns = judges.map((_, position) => {
    const own = votes.filter(({ vote_number }) => (vote_number - 1) % judges.length === position);
    return { own, result: resultOf(own, options) };
  });
  return {
    judges: columns.map(({ own, result }, position) => judgeOutcome(judges[position], own, result)),
    pairwise_kappa: pairs(columns.length).map(([a, b]) => ({
      a: nameOf(judges, a),
      b: nameOf(judges, b),
      kappa: kappaOf(columns[a]?.result, columns[b]?.result, threshold),
    })),
    krippendorff_alpha: krippendorffAlpha(units, { level: 'interval' }),
    effective_votes: effectiveVotes({ votes: readable.length, meanCorrelation: intraclassCorrelation(units) }),
  };
}

type Result = ReturnType<typeof aggregateKVotes> | null;

function resultOf(
  own: readonly VoteRecord[],
  { criteria, threshold, aggregation }: Parameters<typeof panelOutcome>[0],
): Result {
  const scores = own.flatMap((vote) => (vote.scores ? [vote.scores] : []));
  return scores.length === 0 ? null : aggregateKVotes(scores, criteria, threshold, { aggregation });
}

function judgeOutcome(judge: Judge | undefined, own: readonly VoteRecord[], result: Result): PanelJudgeOutcome {
  return {
    judge_adapter: judge?.adapter ?? '',
    judge_model: judge?.model ?? '',
    weight: judge?.weight ?? 1,
    votes: own.length,
    readable: own.filter(({ scores }) => scores !== null).length,
    score: result?.overallScore ?? null,
    passed: result?.passed ?? null,
    cost_usd: sumOrUnknown(own.map(({ cost_usd }) => cost_usd)),
  };
}

function kappaOf(a: Result | undefined, b: Result | undefined, threshold: number): number | null {
  if (!a || !b) return null;
  const verdicts = (result: NonNullable<Result>): boolean[] =>
    result.perCriterion.map(({ medianScore }) => meetsThreshold(medianScore, threshold));
  return cohenKappa(verdicts(a), verdicts(b));
}

function pairs(count: number): [number, number][] {
  return Array.from({ length: count }, (_, a) => a).flatMap((a) =>
    Array.from({ length: count - a - 1 }, (_, step): [number, number] => [a, a + step + 1]),
  );
}

function nameOf(judges: readonly Judge[], position: number): string {
  return judges[position]?.model ?? '';
}
