import type { ModelCaller } from '../../models/call/model-caller.ts';
import type { VoteCache } from '../../models/call/vote-cache.ts';
import { knownUsd } from '../../stats/cost.ts';
import { judgeCost } from '../../trace/cost-fields.ts';
import type { LabelledItem } from '../calibration/calibration-labels.ts';
import { judgeLabels } from '../calibration/judge-labels.ts';
import { type JudgingOptions, judgementError } from '../judge-items.ts';
import { type Judgement, withDefaults } from '../judge-trace.ts';
import type { JudgedScenario } from '../prompt/context.ts';
import type { JudgeSettings } from '../votes/cast-vote.ts';
import type { AskedJudge, JudgeVerdict } from './compare-judges.ts';

/** A judge by the name that it has in the comparison, and what is asked of it. */
export interface NamedJudge {
  name: string;
  settings: JudgeSettings;
}

/**
 * Asks each judge about the same answers, one judge after the other. The budget is for all of them; a judge that it does
 * not suffice for has answers that were not judged.
 */
export async function askJudges(
  judges: readonly NamedJudge[],
  items: readonly LabelledItem[],
  options: JudgingOptions & { models: ModelCaller; cache: VoteCache | null; scenario: JudgedScenario | undefined },
): Promise<AskedJudge[]> {
  const { models, cache, scenario, budgetUsd = null, ...judging } = options;
  const asked: AskedJudge[] = [];
  let spent = 0;
  for (const { name, settings } of judges) {
    const defaults = withDefaults({ ...settings, cache, scenario }, models);
    const left = budgetUsd === null ? null : Math.max(0, budgetUsd - spent);
    const { judged, cost } = await judgeLabels(items, defaults, { ...judging, budgetUsd: left });
    spent += knownUsd(cost);
    const judgements = items.map((item) => judged.get(item)?.[0]);
    const [judge] = settings.judges;
    asked.push({
      name,
      judge_adapter: judge?.adapter ?? '',
      judge_model: judge?.model ?? '',
      mode: judge?.mode ?? 'chat',
      k: settings.k,
      verdicts: judgements.map((judgement) => judgement && verdictOf(judgement)),
      unscoredBecause: mostFrequent(
        judgements.flatMap((each) => (each && each.score === null ? (judgementError(each) ?? []) : [])),
      ),
      paid: judgements.flatMap((each) => (each && each.metadata.cached_votes === 0 ? [paidFor(each)] : [])),
      cached: judgements.filter((each) => each && each.metadata.cached_votes > 0).length,
      cost,
    });
  }
  return asked;
}

function verdictOf({ score, passed, metadata: { probability, votes } }: Judgement): JudgeVerdict | null {
  if (score === null) return null;
  const cast = votes.flatMap((vote) => vote.passed ?? []);
  const share = cast.length < 2 ? null : cast.filter(Boolean).length / cast.length;
  return { passed, score, probability: probability ?? share };
}

/** Votes are cast at the same time, so the slowest decides. */
function paidFor({ metadata }: Judgement): AskedJudge['paid'][number] {
  const seconds = metadata.votes.map(({ latency_seconds }) => latency_seconds);
  return { usd: judgeCost(metadata).usd, seconds: Math.max(0, ...seconds) };
}

function mostFrequent(errors: readonly string[]): string | null {
  const groups = [...Map.groupBy(errors, (error) => error)];
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}
