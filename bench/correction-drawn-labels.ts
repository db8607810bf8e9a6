import { doubtOfChance } from '../packages/salvo/src/judge/calibration/doubt.ts';
import { drawTrials, drawWeights } from '../packages/salvo/src/judge/calibration/draw-trials.ts';
import { rateByOwnLabels } from '../packages/salvo/src/judge/calibration/rate-by-own-labels.ts';
import { clusterRate } from '../packages/salvo/src/stats/agreement/cluster-rate.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { sampleLabel } from '../test/sample-label.ts';
import { percent } from './coverage-counts.ts';
import { drawBeta } from './random-draws.ts';

const SAMPLES = 250;
const TRIALS = 300;
const VOTES = 5;
const [SENSITIVITY, SPECIFICITY] = [0.9, 0.8];

type Random = () => number;
interface Trial {
  id: string;
  human: boolean;
  /** The share of votes that pass, or the probability of a decision. */
  share: number;
}

/** How the judge of a run comes to its verdicts. */
interface Judge {
  name: string;
  trial(rate: number, random: Random): Omit<Trial, 'id'>;
}

const votes =
  (alike: number): Judge['trial'] =>
  (rate, random) => {
    const human = random() < rate;
    const chance = drawBeta(random, { mean: human ? SENSITIVITY : 1 - SPECIFICITY, alike });
    return { human, share: Array.from({ length: VOTES }, () => random() < chance).filter(Boolean).length / VOTES };
  };
/** `boast`: by how much its log odds are too large. */
const decision =
  (sharp: number, boast: number): Judge['trial'] =>
  (rate, random) => {
    const chance = drawBeta(random, { mean: rate, alike: sharp });
    return { human: random() < chance, share: 1 / (1 + ((1 - chance) / chance) ** boast) };
  };

const JUDGES: Judge[] = [
  { name: 'five votes, errors of votes alike by 0.3', trial: votes(0.3) },
  { name: 'five votes, alike by 0.7', trial: votes(0.7) },
  { name: 'calibrated decisions', trial: decision(0.4, 1) },
  { name: 'calibrated decisions, sharper', trial: decision(0.7, 1) },
  { name: 'decisions twice as sure as they should be', trial: decision(0.7, 2) },
];

/** The rate, sensitivity and specificity by labels of some trials, against those of all trials of the same run. */
interface Found {
  given: number;
  held: number;
  width: number;
  bias: number;
  squares: number;
  /** Of sensitivity and specificity together. */
  rates: { given: number; held: number; bias: number; unweighted: number };
}

/**
 * Labels drawn by doubt, as the Labels page does, beside labels drawn evenly: how often the interval contains the truth,
 * how far the estimates are off on average, and how many labels do for the same width or the same error. Then the
 * same for sensitivity and specificity, weighted and as if all labels counted alike.
 */
export function correctionByDrawnLabels(): string[] {
  return [
    `labels drawn by doubt, and evenly (${TRIALS} trials, 50 and 100 labels):`,
    ...JUDGES.flatMap((judge) => {
      const doubt = simulate(judge, ({ share }) => doubtOfChance(share));
      const even = simulate(judge, () => 0);
      const wide = (doubt.width / doubt.given / (even.width / even.given)) ** 2;
      const error = doubt.squares / doubt.given / (even.squares / even.given);
      const { rates } = doubt;
      return [
        `  ${judge.name}: by doubt ${words(doubt)}; evenly ${words(even)}; labels for the same width ${percent(wide)}, for the same error ${percent(error)}`,
        `    sensitivity and specificity: contain the truth in ${percent(rates.held / rates.given)}, off by ${points(rates.bias / rates.given)} on average, without weights by ${points(rates.unweighted / rates.given)}`,
      ];
    }),
  ];
}

function words({ held, given, width, bias }: Found): string {
  return `${percent(held / given)}, width ${(width / given).toFixed(3)}, off by ${points(bias / given)} on average`;
}

function points(share: number): string {
  return `${(100 * share).toFixed(2)} points`;
}

function simulate(judge: Judge, doubtOf: (trial: Trial) => number): Found {
  const found: Found = {
    given: 0,
    held: 0,
    width: 0,
    bias: 0,
    squares: 0,
    rates: { given: 0, held: 0, bias: 0, unweighted: 0 },
  };
  for (const labels of [50, 100]) {
    for (const rate of [0.6, 0.8, 0.9]) {
      const random = seededRandom('correction-drawn-labels', judge.name, labels, rate);
      for (let sample = 0; sample < SAMPLES; sample += 1)
        count(found, sampleOf({ judge, rate, labels, doubtOf }, random));
    }
  }
  return found;
}

interface Sample {
  rate: number;
  trials: Trial[];
  /** The trials that have a label, and how each was drawn. */
  labelled: ReturnType<typeof labelOf>[];
}

function sampleOf(
  { judge, rate, labels, doubtOf }: { judge: Judge; rate: number; labels: number; doubtOf: (trial: Trial) => number },
  random: Random,
): Sample {
  const trials = Array.from({ length: TRIALS }, (_, index) => ({ id: String(index), ...judge.trial(rate, random) }));
  const order = drawTrials(
    trials.map((trial) => ({ id: trial.id, doubt: doubtOf(trial) })),
    random,
  );
  const labelled = trials.map((trial) => labelOf(trial, order)).filter(({ drawn }) => drawn.position <= labels);
  return { rate, trials, labelled };
}

function labelOf(trial: Trial, order: ReturnType<typeof drawTrials>) {
  const drawn = order.get(trial.id);
  if (!drawn) throw new Error('Every trial has a place in the draw.');
  return { trial, drawn, label: sampleLabel({ passed: trial.human, drawn }) };
}

function count(found: Found, { rate, trials, labelled }: Sample): void {
  const labels = new Map(labelled.map(({ trial, label }) => [trial, label]));
  const own = rateByOwnLabels(
    trials.map((trial) => {
      const label = labels.get(trial);
      return { case: null, probability: trial.share, counts: true, labels: label ? [label] : [] };
    }),
  );
  if (own && own.rate !== null) {
    const [low, high] = own.interval;
    const off = own.rate - trials.filter(({ human }) => human).length / trials.length;
    found.given += 1;
    found.width += high - low;
    found.bias += off;
    found.squares += off ** 2;
    if (low <= rate && rate <= high) found.held += 1;
  }
  countRates(found.rates, { trials, labelled });
}

/** Against those of all trials of the run: they are what a calibration by labels of all would show. */
function countRates(counts: Found['rates'], { trials, labelled }: Omit<Sample, 'rate'>): void {
  const { weights } = drawWeights(labelled.map(({ label }) => [label]));
  for (const human of [true, false]) {
    const rateOf = (some: readonly Trial[], weightOf: (index: number) => number) =>
      clusterRate(
        some.flatMap((trial, index) =>
          trial.human === human
            ? [{ cluster: trial.id, isTrue: trial.share > 0.5 === human, weight: weightOf(index) }]
            : [],
        ),
      );
    const drawn = labelled.map(({ trial }) => trial);
    const [weighted, plain, all] = [
      rateOf(drawn, (index) => weights[index] ?? 1),
      rateOf(drawn, () => 1),
      rateOf(trials, () => 1),
    ];
    if (!weighted?.interval || !plain || !all) continue;
    counts.given += 1;
    counts.bias += weighted.rate - all.rate;
    counts.unweighted += plain.rate - all.rate;
    if (weighted.interval[0] <= all.rate && all.rate <= weighted.interval[1]) counts.held += 1;
  }
}
