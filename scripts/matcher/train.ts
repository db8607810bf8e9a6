import type { Model } from '../../src/match/evidence/model.ts';
import { scoreWith } from '../../src/match/evidence/weigh.ts';
import type { WordTable } from '../../src/match/evidence/word-table.ts';
import { EVIDENCE_THRESHOLD } from '../../src/match/judge-agent-options.ts';
import { clusterIntervals } from '../../src/stats/cluster-intervals.ts';
import { cohenKappa } from '../../src/stats/cohen-kappa.ts';
import { seededRandom } from '../../src/stats/seeded-random.ts';
import { countWords } from './count-words.ts';
import { fitWeights, type Weights } from './fit-weights.ts';
import { FOLDS, foldOf, type PhrasedWeakness, type TrainingData } from './training-data.ts';
import { comparer, trainingPairs } from './training-pairs.ts';

/** A pair of a service that the model did not see in training. */
export interface HeldOutPair {
  service: string;
  same: boolean;
  score: number;
}

export interface Trained {
  table: WordTable;
  model: Model;
  heldOut: { pairs: HeldOutPair[]; blind: HeldOutPair[] };
}

/** The word table and the model, and their scores for pairs of services that were held out. */
export function trainMatcher(data: TrainingData): Trained {
  const { weaknesses } = data;
  const folds = Array.from({ length: FOLDS }, (_, fold) => fold);
  const without = folds.map((fold) => countWords(weaknesses.filter(({ service }) => foldOf(service) !== fold)));
  const table = countWords(weaknesses);
  const pairs = trainingPairs(data, { all: table, without });
  const weights = fitWeights(pairs);
  const scorers = folds.map((fold) => {
    const seen = pairs.filter(({ service }) => service === null || foldOf(service) !== fold);
    return scorer(without[fold] ?? table, fitWeights(seen));
  });
  const scored = ({ service, a, b, same }: { service: string; a: string; b: string; same: boolean }): HeldOutPair => ({
    service,
    same,
    score: scorers[foldOf(service)]?.({ type: a }, { title: b }) ?? 0,
  });
  const heldOut = { pairs: examinationPairs(weaknesses).map(scored), blind: data.blind.map(scored) };
  const { kappa, interval } = agreementOf(heldOut.pairs);
  return {
    table,
    model: {
      $comment: 'Made by npm run train-matcher; src/match/evidence/features.ts says what the features are.',
      trained_on: { sha256: data.sha256, pairs: pairs.length, same: pairs.filter(({ same }) => same).length },
      held_out: { services: new Set(heldOut.pairs.map(({ service }) => service)).size, kappa, interval },
      ...weights,
    },
    heldOut,
  };
}

function scorer(table: WordTable, weights: Weights) {
  const compare = comparer(table);
  return (vulnerability: Record<string, unknown>, finding: Record<string, unknown>): number =>
    scoreWith(weights, compare(vulnerability, finding));
}

const MOST_OTHERS = 10;

/** For each weakness its first two sentences, and its first against the second of others of the service. */
function examinationPairs(weaknesses: readonly PhrasedWeakness[]) {
  return [...Map.groupBy(weaknesses, ({ service }) => service)].flatMap(([service, of]) =>
    of.flatMap((weakness, at) => {
      const [a = '', b = ''] = weakness.texts;
      // The next ones in a circle, so that every sentence is compared equally often.
      const others = Array.from(
        { length: Math.min(MOST_OTHERS, of.length - 1) },
        (_, n) => of[(at + 1 + n) % of.length],
      );
      return [
        { service, a, b, same: true },
        ...others.map((other) => ({ service, a, b: other?.texts[1] ?? other?.texts[0] ?? '', same: false })),
      ];
    }),
  );
}

/** Kappa at the threshold of a match, with its 95% interval over services. */
export function agreementOf(
  pairs: readonly HeldOutPair[],
  threshold = EVIDENCE_THRESHOLD,
): { kappa: number; interval: [number, number] } {
  const kappaOf = (of: readonly HeldOutPair[]): number =>
    cohenKappa(
      of.map(({ same }) => same),
      of.map(({ score }) => score >= threshold),
    ) ?? Number.NaN;
  const clusters = [...Map.groupBy(pairs, ({ service }) => service).values()];
  const [interval] =
    clusterIntervals({
      clusters,
      metrics: (kept) => [kappaOf(kept.flat())],
      ranges: [[-1, 1]],
      random: seededRandom(1),
    }) ?? [];
  const round = (value: number) => Math.round(value * 1000) / 1000;
  const [low, high] = interval ?? [-1, 1];
  return { kappa: round(kappaOf(pairs)), interval: [round(low), round(high)] };
}
