import { agreementOf, type LabelledComparison } from '../packages/salvo/src/judge/calibration/calibration-metrics.ts';
import type { Agreement } from '../packages/salvo/src/judge/calibration/calibration-record.ts';
import { correctedPassRate } from '../packages/salvo/src/judge/calibration/corrected-pass-rate.ts';
import { type CountedRate, correctedRate } from '../packages/salvo/src/stats/intervals/corrected-rate.ts';
import { wilsonInterval } from '../packages/salvo/src/stats/intervals/wilson-interval.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { correctionByDrawnLabels } from './correction-drawn-labels.ts';
import { correctionOverCases } from './correction-over-cases.ts';
import { correctionByOwnLabels } from './correction-own-labels.ts';
import { drawBeta, drawCount } from './random-draws.ts';

const SAMPLES = 20;
const TRIALS = 50;
const TRUE_RATES = [0.3, 0.7, 0.9];
const SCENARIOS = 6;

/** How often a judge is right on what people pass, and on what they fail, in one scenario. */
interface Judge {
  sensitivity: number;
  specificity: number;
}

/** A judge whose errors differ between six families of tasks as those of real judges do on public data. */
const FAMILIES: Judge[] = [
  { sensitivity: 0, specificity: 1 },
  { sensitivity: 0.55, specificity: 0.95 },
  { sensitivity: 0.7, specificity: 0.8 },
  { sensitivity: 0.85, specificity: 0.6 },
  { sensitivity: 1, specificity: 0.9 },
  { sensitivity: 1, specificity: 0.7 },
];

type Random = () => number;
interface Counts {
  covered: number;
  given: number;
  asked: number;
}

/**
 * How often the interval of a corrected pass rate contains the true rate of a scenario: with 30 labels of each of six
 * scenarios, with 12 of each, which is too few for a correction of its own, and with 30 of the five others only. `before`
 * takes all labels together, as if the judge erred everywhere alike. Then the same for runs whose trials are of cases,
 * for labels of the run's own trials, and by how many fewer of these do if they are drawn by doubt.
 */
export async function benchCorrectionCoverage(): Promise<string[]> {
  const similar = (alike: number) => (random: Random) =>
    Array.from({ length: SCENARIOS }, () => ({
      sensitivity: drawBeta(random, { mean: 0.85, alike }),
      specificity: drawBeta(random, { mean: 0.8, alike }),
    }));
  return [
    ...lines('the same errors everywhere', similar(0)),
    ...lines('errors that differ a little', similar(0.05)),
    ...lines('errors that differ much', similar(0.2)),
    ...lines('errors that differ as in six families of public tasks', () => FAMILIES),
    ...correctionOverCases(),
    ...correctionByOwnLabels(),
    ...correctionByDrawnLabels(),
  ];
}

function lines(title: string, scenariosOf: (random: Random) => Judge[]): string[] {
  const counts = { own: none(), few: none(), others: none(), before: none() };
  const random = seededRandom('correction-coverage', title);
  for (const rate of TRUE_RATES) {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const scenarios = scenariosOf(random);
      const many = groupsOf(
        scenarios.map((each) => labels(each, 30, random)),
        random,
      );
      const few = groupsOf(
        scenarios.map((each) => labels(each, 12, random)),
        random,
      );
      for (const [target, judge] of scenarios.entries()) {
        const chance = rate * judge.sensitivity + (1 - rate) * (1 - judge.specificity);
        const observed = { passed: drawCount(random, { chance, total: TRIALS }), total: TRIALS };
        const judged = { rate: observed.passed / TRIALS, worth: TRIALS, interval: wilsonInterval(observed) };
        const by = (groups: Groups) =>
          correctedPassRate(groups, { observed: judged, scenario: String(target) }).interval ?? undefined;
        const others = groupsOf(many.labelled.toSpliced(target, 1), random, many.scenarios.toSpliced(target, 1));
        count(counts.own, by(many), rate);
        count(counts.few, by(few), rate);
        count(counts.others, by(others), rate);
        count(counts.before, correctedRate({ observed, ...sumOf(few.scenarios) })?.interval, rate);
      }
    }
  }
  return [
    `${title}:`,
    `  30 labels each ${words(counts.own)}, 12 each ${words(counts.few)}, of others only ${words(counts.others)}; before ${words(counts.before)}`,
  ];
}

interface Groups {
  labelled: LabelledComparison[][];
  overall: Agreement;
  scenarios: (Agreement & { scenario: string })[];
}

function groupsOf(
  labelled: LabelledComparison[][],
  random: Random,
  scenarios = labelled.map((each, index) => ({ scenario: String(index), ...agreementOf(each, random) })),
): Groups {
  return { labelled, overall: agreementOf(labelled.flat(), random), scenarios };
}

function sumOf(groups: readonly Agreement[]): Record<'sensitivity' | 'specificity', CountedRate> {
  const sum = (rate: 'sensitivity' | 'specificity'): CountedRate => ({
    passed: groups.reduce((total, group) => total + group[rate].correct, 0),
    total: groups.reduce((total, group) => total + group[rate].total, 0),
  });
  return { sensitivity: sum('sensitivity'), specificity: sum('specificity') };
}

/** Labels of which people pass six in ten. */
function labels({ sensitivity, specificity }: Judge, size: number, random: Random): LabelledComparison[] {
  return Array.from({ length: size }, (_, index) => {
    const human = index < 0.6 * size;
    const passed = random() < (human ? sensitivity : 1 - specificity);
    return { human, judge: { passed, score: null }, votes: [], cluster: `${random()}`, weight: 1 };
  });
}

function none(): Counts {
  return { covered: 0, given: 0, asked: 0 };
}

function count(counts: Counts, interval: readonly [number, number] | undefined, rate: number): void {
  counts.asked += 1;
  if (!interval) return;
  counts.given += 1;
  if (interval[0] <= rate && rate <= interval[1]) counts.covered += 1;
}

function words({ covered, given, asked }: Counts): string {
  const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;
  return `${percent(covered / given)}${given < asked ? ` (none given in ${percent(1 - given / asked)})` : ''}`;
}
