import { cohenKappa } from '../../packages/salvo/src/stats/agreement/cohen-kappa.ts';
import { clusterIntervals } from '../../packages/salvo/src/stats/intervals/cluster-intervals.ts';
import { seededRandom } from '../../packages/salvo/src/stats/seeded-random.ts';
import type { WordTable } from '../../packages/salvo-arena/src/match/evidence/lexicon/word-table.ts';
import type { Model } from '../../packages/salvo-arena/src/match/evidence/weighing/model.ts';
import { scoreWith } from '../../packages/salvo-arena/src/match/evidence/weighing/weigh.ts';
import { EVIDENCE_THRESHOLD } from '../../packages/salvo-arena/src/match/judge-agent-options.ts';
import { fitWeights, type Weights } from './fit-weights.ts';
import { areRelated, FIRST_AUTHOR, foldOf, type PhrasedWeakness, type TrainingData } from './training-data.ts';
import { comparer, trainingPairs } from './training-pairs.ts';
import { createWordTables } from './word-tables.ts';

/** A pair of a service that the model did not see in training. */
export interface HeldOutPair {
  service: string;
  same: boolean;
  score: number;
}

export interface Trained {
  table: WordTable;
  model: Model;
  heldOut: {
    /** The training did not see the service of the pair. */
    pairs: HeldOutPair[];
    blind: HeldOutPair[];
    /** It saw the weaknesses of the pair, but no sentence of the two authors. */
    authors: HeldOutPair[];
  };
}

/** The word table and the model, and their scores for pairs of services and of authors that were held out. */
export function trainMatcher(data: TrainingData): Trained {
  const { weaknesses } = data;
  const tables = createWordTables(weaknesses);
  const pairs = trainingPairs(data, tables);
  const weights = fitWeights(pairs);
  const ofServices = (of: readonly ExaminationPair[]): HeldOutPair[] =>
    [...Map.groupBy(of, ({ service }) => foldOf(service))].flatMap(([fold, ofFold]) => {
      const seen = pairs.filter(({ service }) => service === null || foldOf(service) !== fold);
      return ofFold.map(scorer(tables.withoutFold(fold), fitWeights(seen)));
    });
  const heldOut = {
    pairs: ofServices(examinationPairs(weaknesses.filter(({ sentences: [first] }) => first?.author === FIRST_AUTHOR))),
    blind: ofServices(data.blind),
    authors: authorPairs(weaknesses).flatMap(({ authors, of }) => {
      const seen = pairs.filter((pair) => !pair.authors.some((author) => authors.includes(author)));
      return of.map(scorer(tables.withoutAuthors(authors), fitWeights(seen)));
    }),
  };
  const { kappa, interval } = agreementOf(heldOut.pairs);
  return {
    table: tables.all(),
    model: {
      $comment: 'Made by npm run train-matcher; src/match/evidence/weighing/features.ts says what the features are.',
      trained_on: { sha256: data.sha256, pairs: pairs.length, same: pairs.filter(({ same }) => same).length },
      held_out: { services: new Set(heldOut.pairs.map(({ service }) => service)).size, kappa, interval },
      ...weights,
    },
    heldOut,
  };
}

function scorer(table: WordTable, weights: Weights): (pair: ExaminationPair) => HeldOutPair {
  const compare = comparer(table);
  return ({ service, a, b, same }) => ({
    service,
    same,
    score: scoreWith(weights, compare({ type: a }, { title: b })),
  });
}

interface ExaminationPair {
  service: string;
  a: string;
  b: string;
  same: boolean;
}

const MOST_OTHERS = 10;

/** The same for every two authors who wrote for the catalogue: for each weakness one sentence of both. */
function authorPairs(weaknesses: readonly PhrasedWeakness[]): { authors: string[]; of: ExaminationPair[] }[] {
  const authors = [...new Set(weaknesses.flatMap(({ sentences }) => sentences.map(({ author }) => author)))].filter(
    (author) => /^[1-9]$/.test(author),
  );
  return authors.flatMap((first, at) =>
    authors.slice(at + 1).map((second) => {
      const ofBoth = weaknesses.flatMap((weakness, index) => {
        const [a, b] = [first, second].map((author) =>
          weakness.sentences.filter((sentence) => sentence.author === author),
        );
        // Another style for the next weakness.
        const [one, other] = [a?.[index % a.length], b?.[Math.floor(index / 3) % b.length]];
        return one && other ? [{ ...weakness, sentences: [one, other] }] : [];
      });
      return { authors: [first, second], of: examinationPairs(ofBoth) };
    }),
  );
}

/** For each weakness its first two sentences, and its first against the second of others of the service. */
function examinationPairs(weaknesses: readonly PhrasedWeakness[]): ExaminationPair[] {
  return [...Map.groupBy(weaknesses, ({ service }) => service)].flatMap(([service, of]) =>
    of.flatMap((weakness, at) => {
      const [a, b] = firstTwo(weakness);
      // The next ones in a circle, so that every sentence is compared equally often.
      const others = [...of.slice(at + 1), ...of.slice(0, at)]
        .filter((other) => !areRelated(weakness, other))
        .slice(0, MOST_OTHERS);
      return [
        { service, a, b, same: true },
        ...others.map((other) => ({ service, a, b: firstTwo(other)[1], same: false })),
      ];
    }),
  );
}

function firstTwo({ sentences: [one, other] }: PhrasedWeakness): [string, string] {
  return [one?.text ?? '', other?.text ?? one?.text ?? ''];
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
