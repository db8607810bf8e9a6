import { seededRandom } from '../../packages/salvo/src/stats/seeded-random.ts';

/** One thing in the code, described by its form alone. */
export interface FormUnit {
  /** The game that it is from: units of one game are not independent. */
  game: string;
  /** The same for the same thing in other games of the template. */
  place: string;
  features: Features;
  isGuilty: boolean;
}

/**
 * What a reader sees who knows nothing about security. `form`: names, constructs, files, positions, sizes. `lines`: the
 * shape of every line. Neither sees values.
 */
export const DETECTORS = ['form', 'lines'] as const;

export type Detector = (typeof DETECTORS)[number];

export type Features = Readonly<Record<Detector, readonly string[]>>;

/** Many more than there are features, so that few of them share a weight. */
const WEIGHTS = 1 << 16;
const ROUNDS = 12;
const RATE = 0.08;
const SHRINKAGE = 1e-4;

/** Logistic regression over hashed features of one kind; returns a score for any unit. */
export function learnDetector(units: readonly FormUnit[], kind: Detector): (unit: FormUnit) => number {
  const weights = new Float64Array(WEIGHTS);
  const steps = new Float64Array(WEIGHTS).fill(1e-6);
  const read = units.map(({ features, isGuilty }) => ({ indices: indicesOf(features[kind]), isGuilty }));
  const guilty = Math.max(1, read.filter(({ isGuilty }) => isGuilty).length);
  // The guilty are rare: without a weight, the detector would call everything innocent.
  const balance = Math.max(1, (read.length - guilty) / guilty);
  const random = seededRandom('form detector', units.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let seen = 0; seen < read.length; seen += 1) {
      const unit = read[Math.floor(random() * read.length)];
      if (!unit) continue;
      const error = (probability(weights, unit.indices) - Number(unit.isGuilty)) * (unit.isGuilty ? balance : 1);
      for (const index of unit.indices) {
        const gradient = error + SHRINKAGE * (weights[index] ?? 0);
        steps[index] = (steps[index] ?? 0) + gradient * gradient;
        weights[index] = (weights[index] ?? 0) - (RATE * gradient) / Math.sqrt(steps[index] ?? 1);
      }
    }
  }
  return ({ features }) => probability(weights, indicesOf(features[kind]));
}

function probability(weights: Float64Array, indices: readonly number[]): number {
  const sum = indices.reduce((total, index) => total + (weights[index] ?? 0), 0);
  return 1 / (1 + Math.exp(-sum));
}

function indicesOf(features: readonly string[]): number[] {
  return ['', ...features].map((feature) => {
    let hash = 0x811c9dc5;
    for (let at = 0; at < feature.length; at += 1) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
    return (hash >>> 0) % WEIGHTS;
  });
}

export interface ScoredUnit extends Omit<FormUnit, 'features'> {
  score: number;
}

/** How often a guilty unit has a higher score than an innocent one; ties count half. Null without both kinds. */
export function areaUnderCurve(units: readonly Pick<ScoredUnit, 'score' | 'isGuilty'>[]): number | null {
  const sorted = units.toSorted((a, b) => a.score - b.score);
  let rankSum = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to += 1;
    const rank = (from + to + 1) / 2;
    rankSum += rank * sorted.slice(from, to).filter(({ isGuilty }) => isGuilty).length;
    from = to;
  }
  const guilty = units.filter(({ isGuilty }) => isGuilty).length;
  const innocent = units.length - guilty;
  return guilty === 0 || innocent === 0 ? null : (rankSum - (guilty * (guilty + 1)) / 2) / (guilty * innocent);
}

/**
 * The same, but a guilty unit is compared only with the same thing in other games, where it is innocent. Some places
 * are flawed more often than others, which says nothing about the form: here it does not count.
 */
export function areaBySamePlace(units: readonly ScoredUnit[]): number | null {
  let [wins, pairs] = [0, 0];
  for (const same of Map.groupBy(units, ({ place }) => place).values()) {
    const area = areaUnderCurve(same);
    const guilty = same.filter(({ isGuilty }) => isGuilty).length;
    if (area === null) continue;
    wins += area * guilty * (same.length - guilty);
    pairs += guilty * (same.length - guilty);
  }
  return pairs === 0 ? null : wins / pairs;
}

const RESAMPLES = 200;

/** 95%, over whole games. */
export function areaInterval(
  units: readonly ScoredUnit[],
  area: (units: readonly ScoredUnit[]) => number | null,
): [number, number] {
  const games = [...Map.groupBy(units, ({ game }) => game).values()];
  const random = seededRandom('area interval', games.length);
  const areas = Array.from({ length: RESAMPLES }, () => {
    const drawn = games.flatMap(() => games[Math.floor(random() * games.length)] ?? []);
    return area(drawn) ?? 0.5;
  }).sort((a, b) => a - b);
  return [areas[Math.floor(RESAMPLES * 0.025)] ?? 0, areas[Math.floor(RESAMPLES * 0.975)] ?? 1];
}
