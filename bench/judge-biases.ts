import { BIASES, type Bias } from '../packages/salvo/src/judge/biases/bias-document.ts';
import { biasEffects, type ScoredPair, type VersionVerdict } from '../packages/salvo/src/judge/biases/bias-effects.ts';
import { mean } from '../packages/salvo/src/stats/mean.ts';
import { studentQuantile } from '../packages/salvo/src/stats/normal.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { driftLines } from './judge-drift.ts';
import { drawNormal } from './random-draws.ts';

type Random = () => number;

const SAMPLES = 400;
const THRESHOLD = 0.7;

interface Design {
  name: string;
  cases: number;
  perCase: number;
  /** Scores are multiples of this: the anchors of our scale are 0.25 apart. */
  step: number;
  votes: number;
  /** The deviation of a vote from what the judge thinks on average. */
  noise: number;
  /** How much the effect differs between cases. */
  spread: number;
}

const DESIGNS: readonly Design[] = [
  { name: '24 answers, 3 votes', cases: 24, perCase: 1, step: 0.25, votes: 3, noise: 0.12, spread: 0.02 },
  { name: '50 answers, 3 votes', cases: 50, perCase: 1, step: 0.25, votes: 3, noise: 0.12, spread: 0.02 },
  { name: '50 answers, 1 binary vote', cases: 50, perCase: 1, step: 1, votes: 1, noise: 0.12, spread: 0.02 },
  { name: '50 answers, decisions', cases: 50, perCase: 1, step: 0.01, votes: 1, noise: 0.02, spread: 0.02 },
  { name: '100 answers of 25 cases', cases: 25, perCase: 4, step: 0.25, votes: 3, noise: 0.12, spread: 0.1 },
  { name: '48 pairs of 16 exchanges', cases: 16, perCase: 3, step: 0.25, votes: 3, noise: 0.12, spread: 0.05 },
];

/** What is planted, of the whole scale of 1. */
const PLANTED: Record<Bias, number> = {
  length: 0.1,
  formatting: 0,
  tone: 0.2,
  authority: 0,
  family: -0.1,
  language: 0,
};
const NONE: Record<Bias, number> = { length: 0, formatting: 0, tone: 0, authority: 0, family: 0, language: 0 };

/**
 * Simulated judges with planted biases of known size: how often each is named, how often one is named that is not there,
 * and how often the intervals contain the truth, beside Student's t of all pairs without clusters and without Holm's
 * correction. Then the same for the check of a judge by its anchors.
 */
export async function benchJudgeBiases(): Promise<string[]> {
  return [
    ...DESIGNS.flatMap((design) => [`${design.name}:`, ...biasLines(design).map((line) => `  ${line}`)]),
    ...driftLines(),
  ];
}

function biasLines(design: Design): string[] {
  const truth = new Map<number, { score: number; rate: number }>();
  for (const effect of new Set(Object.values(PLANTED))) truth.set(effect, truthOf(design, effect));
  const count = { covered: 0, plainCovered: 0, ratesCovered: 0, intervals: 0, width: 0, plainWidth: 0 };
  const named = new Map<Bias, number>();
  let [wrongWay, falseNames, plainNames] = [0, 0, 0];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const random = seededRandom('judge-biases', design.name, sample);
    const planted = draw(design, PLANTED, random);
    for (const { bias, found, ci, pass_rate_ci, pairs } of planted) {
      const effect = PLANTED[bias];
      const { score, rate } = truth.get(effect) ?? { score: 0, rate: 0 };
      const plain = plainInterval(pairs);
      count.intervals += 1;
      count.covered += Number(isIn(5 * score, ci));
      count.plainCovered += Number(isIn(score, plain));
      count.ratesCovered += Number(isIn(rate, pass_rate_ci));
      count.width += (ci?.[1] ?? 0) - (ci?.[0] ?? 0);
      count.plainWidth += 5 * (plain[1] - plain[0]);
      const isNamed = found === (effect > 0 ? 'raises' : 'lowers');
      if (effect !== 0) named.set(bias, (named.get(bias) ?? 0) + Number(isNamed));
      wrongWay += Number(effect !== 0 && found === (effect > 0 ? 'lowers' : 'raises'));
    }
    const none = draw(design, NONE, random);
    falseNames += Number(none.some(({ found }) => found === 'raises' || found === 'lowers'));
    plainNames += Number(none.some(({ pairs }) => !isIn(0, plainInterval(pairs))));
  }
  const { intervals } = count;
  const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)}%`;
  const points = (bias: Bias) => `${(5 * (truth.get(PLANTED[bias])?.score ?? 0)).toFixed(2)} points`;
  return [
    `named: ${[...named].map(([bias, times]) => `${bias} of ${points(bias)} ${percent(times, SAMPLES)}`).join(', ')}; the wrong way ${percent(wrongWay, SAMPLES)}`,
    `any named where there is none ${percent(falseNames, SAMPLES)} (t without Holm or clusters ${percent(plainNames, SAMPLES)})`,
    `coverage: points ${percent(count.covered, intervals)}, width ${(count.width / intervals).toFixed(2)} (t ${percent(count.plainCovered, intervals)}, ${(count.width / count.plainWidth).toFixed(2)} times its width); pass rate ${percent(count.ratesCovered, intervals)}`,
  ];
}

function draw(design: Design, effects: Record<Bias, number>, random: Random) {
  const measured = BIASES.map((bias) => {
    return { bias, pairs: drawPairs(design, effects[bias], random), leftOut: [] };
  });
  const found = biasEffects(measured);
  return found.map((each, index) => ({ ...each, pairs: measured[index]?.pairs ?? [] }));
}

/** Both versions of an answer are equally good; the changed one seems better by the effect. */
function drawPairs({ cases, perCase, spread, ...judge }: Design, effect: number, random: Random): ScoredPair[] {
  return Array.from({ length: cases }, (_, index) => {
    const ofCase = effect + spread * drawNormal(random);
    const quality = 0.55 + 0.2 * drawNormal(random);
    return Array.from({ length: perCase }, () => {
      const seems = quality + 0.1 * drawNormal(random);
      return {
        plain: verdict(seems, judge, random),
        changed: verdict(seems + ofCase, judge, random),
        cluster: `case ${index}`,
      };
    });
  }).flat();
}

function verdict(
  seems: number,
  { step, votes, noise }: Pick<Design, 'step' | 'votes' | 'noise'>,
  random: Random,
): VersionVerdict {
  const cast = Array.from({ length: votes }, () => {
    const said = Math.min(1, Math.max(0, seems + noise * drawNormal(random)));
    return Math.round(said / step) * step;
  });
  const score = cast.toSorted((a, b) => a - b)[Math.floor(votes / 2)] ?? 0;
  return { score, passed: cast.filter((each) => each >= THRESHOLD).length * 2 > votes };
}

/** By a large sample. */
function truthOf(design: Design, effect: number): { score: number; rate: number } {
  const pairs = drawPairs(
    { ...design, cases: 100_000, perCase: 1 },
    effect,
    seededRandom('truth', design.name, effect),
  );
  return {
    score: mean(pairs.map(({ plain, changed }) => changed.score - plain.score)) ?? 0,
    rate: mean(pairs.map(({ plain, changed }) => Number(changed.passed) - Number(plain.passed))) ?? 0,
  };
}

function plainInterval(pairs: readonly ScoredPair[]): [number, number] {
  const by = pairs.map(({ plain, changed }) => changed.score - plain.score);
  const centre = mean(by) ?? 0;
  const variance = by.reduce((sum, each) => sum + (each - centre) ** 2, 0) / (by.length - 1);
  const reach = studentQuantile(by.length - 1) * Math.sqrt(variance / by.length);
  return [centre - reach, centre + reach];
}

function isIn(value: number, interval: readonly [number, number] | null): boolean {
  return interval !== null && interval[0] <= value + 1e-9 && value - 1e-9 <= interval[1];
}
