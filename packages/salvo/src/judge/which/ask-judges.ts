import type { ModelCaller } from '../../models/call/model-caller.ts';
import type { VoteCache } from '../../models/call/vote-cache.ts';
import { knownUsd, sumCosts } from '../../stats/cost.ts';
import { wilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import { judgeCost } from '../../trace/cost-fields.ts';
import type { BiasAnswer, PlannedBias } from '../biases/plan-biases.ts';
import { judgeLabels, type NumberedItem } from '../calibration/judge-labels.ts';
import { type CanaryReport, checkJudge } from '../canaries/check-judge.ts';
import { surenessOf } from '../cascade/sureness.ts';
import { type JudgingOptions, judgementError } from '../judge-items.ts';
import { type Judgement, withDefaults } from '../judge-trace.ts';
import type { JudgedScenario } from '../prompt/context.ts';
import type { JudgeSettings } from '../votes/cast-vote.ts';
import type { AskedJudge, JudgeVerdict } from './compare-judges.ts';
import type { JudgeCanaries } from './judge-comparison.ts';

/** A judge by the name that it has in the comparison, and what is asked of it. */
export interface NamedJudge {
  name: string;
  settings: JudgeSettings;
  /** What is asked of it about canaries; missing: they are not asked. */
  onCanaries?: JudgeSettings | undefined;
  /** The pairs that measure its biases, and what is asked about exchanges of our own; missing: they are not asked. */
  biases?: { planned: readonly PlannedBias[]; onOwnTexts: JudgeSettings } | undefined;
}

/**
 * Asks each judge about the same answers, one judge after the other. The budget is for all of them; a judge that it does
 * not suffice for has answers that were not judged.
 */
export async function askJudges(
  judges: readonly NamedJudge[],
  answers: readonly BiasAnswer[],
  options: JudgingOptions & { models: ModelCaller; cache: VoteCache | null; scenario: JudgedScenario | undefined },
): Promise<AskedJudge[]> {
  const { models, cache, scenario, budgetUsd = null, ...judging } = options;
  const asked: AskedJudge[] = [];
  const items = answers.map(({ item }) => item);
  let spent = 0;
  const left = () => (budgetUsd === null ? null : Math.max(0, budgetUsd - spent));
  const ask = async (about: readonly NumberedItem[], settings: JudgeSettings, shown: JudgedScenario | undefined) => {
    const defaults = withDefaults({ ...settings, cache, scenario: shown }, models);
    const found = await judgeLabels(about, defaults, { ...judging, budgetUsd: left() });
    spent += knownUsd(found.cost);
    return found;
  };
  for (const { name, settings, onCanaries, biases } of judges) {
    const { judged, cost } = await ask(items, settings, scenario);
    const checked =
      onCanaries && (await checkJudge({ ...{ ...onCanaries, models, cache, ...judging }, budgetUsd: left() }));
    if (checked) spent += knownUsd(judgeCost(checked));
    const measured =
      biases &&
      (await (
        await import('../biases/measure-biases.ts')
      ).measureBiases({
        ...{ planned: biases.planned, answers, judged },
        ask: {
          answers: (about) => ask(about, settings, scenario),
          ownTexts: (about) => ask(about, biases.onOwnTexts, undefined),
        },
      }));
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
      paid: judgements.flatMap((each) =>
        each && each.score !== null && each.metadata.cached_votes === 0 ? [paidFor(each)] : [],
      ),
      cached: judgements.filter((each) => each && each.metadata.cached_votes > 0).length,
      cost: sumCosts([cost, ...(checked ? [judgeCost(checked)] : []), ...(measured ? [measured.cost] : [])]),
      canaries: checked && canariesOf(checked),
      biases: measured?.biases,
    });
  }
  return asked;
}

function canariesOf({ attacks, wrong, honest, unscored, not_judged }: CanaryReport): JudgeCanaries {
  const rightOf = (right: number, scored: number) => {
    const rate = scored === 0 ? null : right / scored;
    return { right, scored, rate, ci: wilsonInterval({ passed: right, total: scored }) };
  };
  const scored = attacks.scored + wrong.scored;
  return {
    canaries: rightOf(scored - attacks.passed - wrong.passed, scored),
    controls: rightOf(honest.passed, honest.scored),
    unscored: unscored.length,
    not_judged,
  };
}

function verdictOf(judgement: Judgement): JudgeVerdict | null {
  const { score, passed, metadata } = judgement;
  const { probability, votes } = metadata;
  if (score === null) return null;
  const cast = votes.flatMap((vote) => vote.passed ?? []);
  const share = cast.length < 2 ? null : cast.filter(Boolean).length / cast.length;
  const tokens = (field: 'input_tokens' | 'output_tokens') => sumOrUnknown(votes.map((vote) => vote[field]));
  return {
    ...{ passed, score, probability: probability ?? share },
    sureness: surenessOf(judgement),
    tokens: { input_tokens: tokens('input_tokens'), output_tokens: tokens('output_tokens') },
    usd: metadata.cached_votes === 0 ? judgeCost(metadata).usd : null,
  };
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
