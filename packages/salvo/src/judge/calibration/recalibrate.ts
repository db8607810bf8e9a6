import {
  fitIsotonic,
  fitPlatt,
  logLossOf,
  mapProbability,
  type ProbabilityMap,
} from '../../stats/agreement/probability-map.ts';
import { mean } from '../../stats/mean.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { EVEN_PROBABILITY } from '../votes/aggregation.ts';
import type { Recalibration } from './calibration-record.ts';

/** What a judge said of an answer, and the verdict of people. */
export interface SaidAnswer {
  /** How likely it passes: of a decision, or the share of votes. */
  probability: number;
  human: boolean;
  /** The case that it is of: answers of one case may be alike. */
  cluster: string;
}

/** A map of few answers follows their chance: with fewer, none is fitted. */
const FEWEST_ANSWERS = 50;
const FEWEST_OF_A_KIND = 10;
const FEWEST_CASES = 10;
const FOLDS = 5;

export type Recalibrated =
  | {
      recalibration: Recalibration;
      /** The verdict on each answer by a map that was fitted without its case. */
      passed: boolean[];
    }
  /** `because`: a sentence without a full stop. */
  | { recalibration: null; because: string };

/**
 * Chooses between Platt's map, an isotonic one and none by the log loss on answers of cases that a map was not fitted
 * on, in five folds. A map must be better than none by more than the standard error of the gain over cases: a judge that
 * is calibrated keeps its probabilities.
 */
export function recalibrate(answers: readonly SaidAnswer[], { seed }: { seed: number }): Recalibrated {
  const because = whyTooFew(answers);
  if (because !== null) return { recalibration: null, because };
  const folds = foldsOf(answers, seed);
  const before = answers.map(({ probability, human }) => logLossOf(probability, human));
  const [best, ...others] = (['platt', 'isotonic'] as const)
    .flatMap((method) => heldOut(answers, folds, method) ?? [])
    .map((found) => ({ ...found, gain: gainOf(answers, before, found.mapped) }))
    .toSorted((a, b) => b.gain.mean - a.gain.mean);
  const map = best && mapBy(answers, best.method);
  if (!best || !map || best.gain.mean <= best.gain.error) {
    const tried = [best, ...others].length > 1 ? 'neither Platt scaling nor isotonic regression is' : 'no map is';
    return { recalibration: null, because: `on answers that it was not fitted on, ${tried} clearly better than none` };
  }
  const passed = best.mapped.map((probability) => probability > EVEN_PROBABILITY);
  return {
    passed,
    recalibration: {
      map,
      answers: answers.length,
      cases: new Set(answers.map(({ cluster }) => cluster)).size,
      log_loss_before: mean(before) ?? 0,
      log_loss_after: (mean(before) ?? 0) - best.gain.mean,
      verdicts_changed: answers.filter(({ probability }, at) => probability > EVEN_PROBABILITY !== passed[at]).length,
    },
  };
}

function whyTooFew(answers: readonly SaidAnswer[]): string | null {
  const passed = answers.filter(({ human }) => human).length;
  const cases = new Set(answers.map(({ cluster }) => cluster)).size;
  const kind = Math.min(passed, answers.length - passed);
  if (answers.length >= FEWEST_ANSWERS && kind >= FEWEST_OF_A_KIND && cases >= FEWEST_CASES) return null;
  return `it needs ${FEWEST_ANSWERS} labelled answers with a probability, ${FEWEST_OF_A_KIND} that people pass and ${FEWEST_OF_A_KIND} that they fail, of ${FEWEST_CASES} cases; there are ${answers.length}, of which ${passed} pass, of ${cases} cases`;
}

/** The fold of each answer. Answers of one case are in the same. */
function foldsOf(answers: readonly SaidAnswer[], seed: number): number[] {
  const random = seededRandom(seed, 'folds');
  const cases = [...new Set(answers.map(({ cluster }) => cluster))].map((cluster) => ({ cluster, at: random() }));
  const order = cases.sort((a, b) => a.at - b.at);
  const foldOf = new Map(order.map(({ cluster }, index) => [cluster, index % FOLDS]));
  return answers.map(({ cluster }) => foldOf.get(cluster) ?? 0);
}

type Method = ProbabilityMap['method'];

function mapBy(answers: readonly SaidAnswer[], method: Method): ProbabilityMap | null {
  const items = answers.map(({ probability, human }) => ({ probability, isTrue: human }));
  return method === 'platt' ? fitPlatt(items) : fitIsotonic(items);
}

/** What each answer would be mapped to by the other folds. Null if one of them has no map. */
function heldOut(
  answers: readonly SaidAnswer[],
  folds: readonly number[],
  method: Method,
): { method: Method; mapped: number[] } | null {
  const maps = Array.from({ length: FOLDS }, (_, fold) =>
    mapBy(
      answers.filter((_, at) => folds[at] !== fold),
      method,
    ),
  );
  if (maps.includes(null)) return null;
  const mapped = answers.map(({ probability }, at) => {
    const map = maps[folds[at] ?? 0];
    return map ? mapProbability(map, probability) : probability;
  });
  return { method, mapped };
}

/** How much smaller the log loss is on average, with its standard error over cases. */
function gainOf(answers: readonly SaidAnswer[], before: readonly number[], mapped: readonly number[]) {
  const gains = answers.map(({ human }, at) => (before[at] ?? 0) - logLossOf(mapped[at] ?? 0, human));
  const gain = mean(gains) ?? 0;
  const ofCases = new Map<string, number>();
  for (const [at, { cluster }] of answers.entries()) {
    ofCases.set(cluster, (ofCases.get(cluster) ?? 0) + (gains[at] ?? 0) - gain);
  }
  const squares = [...ofCases.values()].reduce((sum, each) => sum + each ** 2, 0);
  return { mean: gain, error: Math.sqrt((ofCases.size / (ofCases.size - 1)) * squares) / answers.length };
}
