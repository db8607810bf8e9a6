import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { cohenKappa } from '../../stats/agreement/cohen-kappa.ts';
import { krippendorffAlpha } from '../../stats/agreement/krippendorff-alpha.ts';
import { sumCosts } from '../../stats/cost.ts';
import { meetsThreshold } from '../../stats/mean.ts';
import { agentCost, agentCostFields } from '../../trace/cost-fields.ts';
import { type AggregatedVotes, aggregateKVotes } from './aggregation.ts';
import type { Judge } from './cast-vote.ts';
import type { JudgeMetadata, VoteRecord } from './judge-metadata.ts';

type Panel = NonNullable<JudgeMetadata['panel']>;

/** The outcome of each judge of a panel, and how far the judges agree over the criteria. */
export function panelOutcome(options: {
  judges: readonly Judge[];
  /** Who cast each vote. */
  voters: readonly Judge[];
  votes: readonly VoteRecord[];
  criteria: readonly CriterionLike[];
  threshold: number;
  aggregation: JudgeMetadata['aggregation'];
}): Panel {
  const { judges, voters, votes, criteria, threshold, aggregation } = options;
  const readable = votes.flatMap(({ scores }) => (scores ? [scores] : []));
  const units = criteria.map(({ name }) => readable.map((scores) => scores[name]?.score ?? null));
  const columns = judges.map((judge) => {
    const own = votes.filter(({ vote_number }) => voters[vote_number - 1] === judge);
    const scores = own.flatMap((vote) => (vote.scores ? [vote.scores] : []));
    const result = scores.length === 0 ? null : aggregateKVotes(scores, criteria, threshold, { aggregation });
    return { judge, own, result };
  });
  return {
    judges: columns.map(({ judge, own, result }) => ({
      judge_adapter: judge.adapter,
      judge_model: judge.model,
      ...(judge.mode === 'decide' && { judge_mode: judge.mode }),
      weight: judge.weight,
      votes: own.length,
      readable: own.filter(({ scores }) => scores !== null).length,
      score: result?.overallScore ?? null,
      passed: result?.passed ?? null,
      ...probabilityOf(own),
      ...agentCostFields(sumCosts(own.map(agentCost))),
    })),
    pairwise_kappa: columns.flatMap((a, position) =>
      columns.slice(position + 1).map((b) => ({
        a: a.judge.model,
        b: b.judge.model,
        kappa: a.result && b.result && cohenKappa(verdicts(a.result, threshold), verdicts(b.result, threshold)),
      })),
    ),
    krippendorff_alpha: krippendorffAlpha(units, { level: 'interval' }),
  };
}

/** Of a decision model, which has one vote. */
function probabilityOf([vote]: readonly VoteRecord[]): { probability?: number } {
  return vote?.probability === undefined ? {} : { probability: vote.probability };
}

function verdicts({ perCriterion }: AggregatedVotes, threshold: number): boolean[] {
  return perCriterion.map(({ medianScore }) => meetsThreshold(medianScore, threshold));
}
