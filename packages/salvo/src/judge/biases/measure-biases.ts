import { type Cost, sumCosts } from '../../stats/cost.ts';
import type { NumberedItem } from '../calibration/judge-labels.ts';
import type { judgeItems } from '../judge-items.ts';
import type { Judgement } from '../judge-trace.ts';
import type { BiasDocument } from './bias-document.ts';
import { biasEffects, type VersionVerdict } from './bias-effects.ts';
import { type BiasAnswer, type PlannedBias, versionsToJudge } from './plan-biases.ts';

/** Asks a judge about items, as `judgeLabels` does. */
type Ask = (items: readonly NumberedItem[]) => ReturnType<typeof judgeItems<NumberedItem>>;

/**
 * Asks a judge about both versions of each pair, and returns what the difference does to its scores. A pair of which a
 * version could not be scored, or was not judged any more, is left out and counted.
 */
export async function measureBiases(options: {
  planned: readonly PlannedBias[];
  answers: readonly BiasAnswer[];
  /** The judgements of the answers as they are. */
  judged: ReadonlyMap<NumberedItem, readonly Judgement[]>;
  /** `ownTexts`: about exchanges of our own, which have a rubric of their own. */
  ask: { answers: Ask; ownTexts: Ask };
  seed?: number | undefined;
}): Promise<{ biases: BiasDocument[]; cost: Cost }> {
  const { planned, answers, ask } = options;
  const isOwn = ({ bias }: PlannedBias) => bias === 'language';
  const ofAnswers = planned.filter((each) => !isOwn(each));
  const asked = await ask.answers(versionsToJudge(ofAnswers, answers));
  const own = await ask.ownTexts(versionsToJudge(planned.filter(isOwn), []));
  const verdictOf = (item: NumberedItem): VersionVerdict | null | undefined => {
    const [first] = options.judged.get(item) ?? asked.judged.get(item) ?? own.judged.get(item) ?? [];
    if (!first) return undefined;
    return first.score === null ? null : { score: first.score, passed: first.passed };
  };
  const measured = planned.map(({ bias, pairs, leftOut }) => {
    const scored = pairs.map(({ plain, changed, cluster }) => {
      return { plain: verdictOf(plain), changed: verdictOf(changed), cluster };
    });
    const isMissing = ({ plain, changed }: (typeof scored)[number]) => plain === undefined || changed === undefined;
    const isUnscored = (pair: (typeof scored)[number]) => !isMissing(pair) && !(pair.plain && pair.changed);
    const reasons = [
      { reason: 'not judged: it was stopped', answers: scored.filter(isMissing).length },
      { reason: 'could not be scored', answers: scored.filter(isUnscored).length },
    ];
    return {
      bias,
      pairs: scored.flatMap(({ plain, changed, cluster }) => (plain && changed ? [{ plain, changed, cluster }] : [])),
      leftOut: [...leftOut, ...reasons.filter((each) => each.answers > 0)].toSorted((a, b) => b.answers - a.answers),
    };
  });
  return { biases: biasEffects(measured, options.seed), cost: sumCosts([asked.cost, own.cost]) };
}
