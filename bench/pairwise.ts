import type { Preference } from '../packages/salvo/src/judge/pairwise/pairwise-outcome.ts';
import {
  bothOrders,
  majorityPreference,
  type OrderedPreference,
  orderEffect,
  PREFERENCE_SCORE,
} from '../packages/salvo/src/judge/pairwise/preference.ts';
import { countPreference, type PairCounts, pairwiseSummary } from '../packages/salvo/src/run/tally/pair-tally.ts';
import { formatPercent } from '../packages/salvo/src/stats/format.ts';
import { wilsonInterval } from '../packages/salvo/src/stats/intervals/wilson-interval.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { bradleyTerry, type Comparison } from '../packages/salvo/src/stats/ranking/bradley-terry.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { drawNormal } from './random-draws.ts';

/** A judge of pairs whose errors are known, and the answers that it compares. */
interface Design {
  cases: number;
  trials: number;
  votes: number;
  /** Log odds by which the first candidate is better. */
  better: number;
  /** Log odds that the answer shown first gains. */
  first: number;
  /** How much cases differ in which candidate they suit. */
  spread: number;
}

const SAMPLES = 1000;
/** Differences below it are no preference. */
const EQUAL = 0.5;

const DESIGNS: readonly Design[] = [
  { cases: 10, trials: 1, votes: 3, better: 0, first: 0, spread: 0.5 },
  { cases: 20, trials: 1, votes: 1, better: 0.8, first: 0, spread: 0.5 },
  { cases: 20, trials: 4, votes: 3, better: 0, first: 1, spread: 1 },
  { cases: 50, trials: 1, votes: 3, better: 0, first: 1, spread: 0.5 },
  { cases: 50, trials: 4, votes: 1, better: 0.5, first: 1, spread: 1 },
  { cases: 200, trials: 1, votes: 1, better: 0.3, first: 0.5, spread: 0.5 },
];

/** Candidates from the best to the worst, in log odds. */
const FIELDS: readonly (readonly number[])[] = [
  [0, 0, 0],
  [0.6, 0.1, -0.7],
  [2.5, 0, -1, -1.5],
];

/**
 * How often the intervals of win rates, of changes with the order and of Bradley-Terry strengths contain the truth, and
 * how often a position bias or a preference is found, where there is one and where there is none. Beside it: the same
 * judge asked in one order only, with all trials taken as independent.
 */
export async function benchPairwise(): Promise<string[]> {
  return [
    ...DESIGNS.flatMap(designLines),
    ...FIELDS.flatMap((field) => [10, 20, 50].map((cases) => fieldLine(field, cases))),
  ];
}

function designLines(design: Design): string[] {
  const random = seededRandom('pairwise', JSON.stringify(design));
  const truth = summaryOf({ ...design, cases: 100_000, trials: 1 }, random, { withIntervals: false });
  const samples = Array.from({ length: SAMPLES }, () => summaryOf(design, random));
  const covers = (metric: keyof Figures) =>
    share(samples, ({ figures }) => contains(figures[metric].interval, truth.figures[metric].value));
  const excludes = (at: number, interval: readonly [number, number] | null) =>
    interval !== null && (interval[0] > at || interval[1] < at);
  const decided = share(samples, ({ figures }) => excludes(0.5, figures.win.interval));
  const naive = share(samples, ({ oneOrder }) => excludes(0.5, oneOrder));
  const biased = share(samples, ({ figures }) => excludes(0, figures.lean.interval));
  const width =
    mean(samples.flatMap(({ figures: { win } }) => (win.interval ? [win.interval[1] - win.interval[0]] : []))) ?? 0;
  const naiveWidth = mean(samples.flatMap(({ oneOrder }) => (oneOrder ? [oneOrder[1] - oneOrder[0]] : []))) ?? 1;
  const { cases, trials, votes, better, first } = design;
  return [
    `${cases} cases, ${trials} a case, ${votes === 1 ? '1 vote' : `${votes} votes`}, better by ${better}, first gains ${first}:`,
    `  covered: win rate ${formatPercent(covers('win'))}, ties ${formatPercent(covers('ties'))}, changed ${formatPercent(covers('changed'))}, bias ${formatPercent(covers('lean'))}`,
    `  ${better === 0 ? 'false alarm' : 'found'}: preference ${formatPercent(decided)}, one order only ${formatPercent(naive)}${ratio(decided, naive)}; width ${(width / naiveWidth).toFixed(2)} times that of one order`,
    `  ${first === 0 ? 'false alarm' : 'found'}: position bias ${formatPercent(biased)}`,
  ];
}

interface Estimate {
  value: number;
  interval: readonly [number, number] | null;
}

interface Figures {
  win: Estimate;
  ties: Estimate;
  changed: Estimate;
  lean: Estimate;
}

function summaryOf(design: Design, random: () => number, { withIntervals = true } = {}) {
  const clusters = new Map<number, PairCounts>();
  let onFirst = 0;
  for (let at = 0; at < design.cases; at += 1) {
    const suits = design.better + design.spread * drawNormal(random);
    for (let trial = 0; trial < design.trials; trial += 1) {
      const { preference, order, own } = judged(suits + 0.5 * drawNormal(random), design, random);
      onFirst += PREFERENCE_SCORE[own];
      // For the truth, one cluster is enough: intervals of 100,000 would take long.
      countPreference(clusters, withIntervals ? at : 0, { preference, order, identical: false });
    }
  }
  const { win_rate, win_rate_ci, tie_rate, tie_rate_ci, changed_rate, changed_rate_ci, ...rest } =
    pairwiseSummary(clusters);
  const estimate = (value: number | null, interval: readonly [number, number] | null) => ({
    value: value ?? 0,
    interval,
  });
  const total = design.cases * design.trials;
  return {
    figures: {
      win: estimate(win_rate, win_rate_ci),
      ties: estimate(tie_rate, tie_rate_ci),
      changed: estimate(changed_rate, changed_rate_ci),
      lean: estimate(rest.first_preferred_by, rest.first_preferred_by_ci),
    },
    oneOrder: wilsonInterval({ passed: onFirst, total }),
  };
}

/** All votes on one pair, and what the first vote says if only one order is asked. */
function judged(difference: number, { votes, first }: Pick<Design, 'votes' | 'first'>, random: () => number) {
  const cast = Array.from({ length: votes }, () => ({
    own_first: said(difference + first, random),
    other_first: said(difference - first, random),
  }));
  const counted = cast.map(({ own_first, other_first }) => ({
    ...bothOrders(ordered(own_first), ordered(other_first)),
    weight: 1,
  }));
  return { preference: majorityPreference(counted), order: orderEffect(cast), own: cast[0]?.own_first ?? 'tie' };
}

function ordered(preference: Preference): OrderedPreference {
  return { preference };
}

function said(difference: number, random: () => number): Preference {
  const drawn = random();
  const heard = difference + Math.log(drawn / (1 - drawn)) / 2;
  return heard > EQUAL ? 'win' : heard < -EQUAL ? 'loss' : 'tie';
}

function fieldLine(field: readonly number[], cases: number): string {
  const random = seededRandom('bradley-terry', JSON.stringify(field), cases);
  const truth = bradleyTerry(comparisonsOf(field, 20_000, random), field.length);
  const pairs = field.flatMap((_, first) =>
    field.slice(first + 1).map((__, step) => ({ first, second: first + 1 + step })),
  );
  let [covered, told, alarms, found] = [0, 0, 0, 0];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const fitted = bradleyTerry(comparisonsOf(field, cases, random), field.length);
    if (!fitted || !truth) continue;
    let isWrong = false;
    for (const { first, second } of pairs) {
      const { interval, joint } = fitted.difference(first, second);
      const { rate } = truth.difference(first, second);
      covered += Number(contains(interval, rate));
      told += 1;
      const same = field[first] === field[second];
      isWrong ||= same ? joint[0] > 0.5 || joint[1] < 0.5 : joint[1] < 0.5;
      if (!same) found += Number(joint[0] > 0.5);
    }
    alarms += Number(isWrong);
  }
  const different = pairs.filter(({ first, second }) => field[first] !== field[second]).length * SAMPLES;
  return `Bradley-Terry, strengths ${field.join(', ')}, ${cases} cases: covered ${formatPercent(covered / told)}; wrongly preferred ${formatPercent(alarms / SAMPLES)}${different === 0 ? '' : `, rightly ${formatPercent(found / different)}`}`;
}

function comparisonsOf(field: readonly number[], cases: number, random: () => number): Comparison[] {
  return Array.from({ length: cases }, (_, at) => {
    const own = field.map((strength) => strength + 0.5 * drawNormal(random));
    return [0, 1].flatMap(() =>
      own.flatMap((strength, first) =>
        own.slice(first + 1).map((other, step) => {
          const { preference } = judged(strength - other, { votes: 1, first: 0.5 }, random);
          return { first, second: first + 1 + step, cluster: String(at), score: PREFERENCE_SCORE[preference] };
        }),
      ),
    );
  }).flat();
}

function contains(interval: readonly [number, number] | null, value: number): boolean {
  return interval !== null && interval[0] <= value && value <= interval[1];
}

function share<Item>(items: readonly Item[], is: (item: Item) => boolean): number {
  return items.filter(is).length / items.length;
}

function ratio(own: number, other: number): string {
  return own === 0 ? '' : ` (${(other / own).toFixed(1)} times)`;
}
