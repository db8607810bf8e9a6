/** How probabilities that were said become better ones. A document: stored as it is. */
export type ProbabilityMap =
  /** Platt's: a line on the scale of logits. */
  | { method: 'platt'; intercept: number; slope: number }
  /** Isotonic: never falls. Straight lines between points, in the order of what was said. */
  | { method: 'isotonic'; points: [said: number, mapped: number][] };

/** What was said of an item, and whether it is true. */
export interface SaidItem {
  probability: number;
  isTrue: boolean;
}

/** Probabilities of 0 and 1 have no logit, and a loss without end. */
const CLOSEST = { loss: 0.005, logit: 0.001 };
const STEPS = 50;

export function mapProbability(map: ProbabilityMap, probability: number): number {
  if (map.method === 'platt') return sigmoid(map.intercept + map.slope * logit(probability));
  const { points } = map;
  const next = points.findIndex(([said]) => said >= probability);
  const [above, below] = [points[next], points[next - 1]];
  if (!above) return points.at(-1)?.[1] ?? probability;
  if (!below) return above[1];
  return below[1] + ((above[1] - below[1]) * (probability - below[0])) / (above[0] - below[0]);
}

/** The mean of -ln of what was said of the outcome. Certainty costs no more than a probability of 0.995. */
export function logLossOf(probability: number, isTrue: boolean): number {
  return -Math.log(away(isTrue ? probability : 1 - probability, CLOSEST.loss));
}

/**
 * Platt (1999), by Newton's method: a logistic regression of the outcome on the logit of what was said, with targets
 * that are a little less than certain, as he proposes against too steep lines. Null if the line does not rise: then the
 * probabilities say nothing.
 */
export function fitPlatt(items: readonly SaidItem[]): ProbabilityMap | null {
  const passed = items.filter(({ isTrue }) => isTrue).length;
  const targets = { true: (passed + 1) / (passed + 2), false: 1 / (items.length - passed + 2) };
  const rows = items.map(({ probability, isTrue }) => ({
    x: logit(probability),
    y: targets[isTrue ? 'true' : 'false'],
  }));
  let [intercept, slope] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    // Starts with a little curvature, so that it can be divided by.
    let [g0, g1, h00, h01, h11] = [0, 0, 1e-6, 0, 1e-6];
    for (const { x, y } of rows) {
      const mapped = sigmoid(intercept + slope * x);
      const weight = mapped * (1 - mapped);
      g0 += y - mapped;
      g1 += (y - mapped) * x;
      h00 += weight;
      h01 += weight * x;
      h11 += weight * x * x;
    }
    const determinant = h00 * h11 - h01 * h01;
    const [up, steeper] = [(h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant];
    // A long step is shortened, because it may lead to where all weights are 0.
    const length = Math.min(1, 2 / Math.max(Math.abs(up), Math.abs(steeper), 1e-12));
    intercept += length * up;
    slope += length * steeper;
    if (Math.abs(up) + Math.abs(steeper) < 1e-9) break;
  }
  return Number.isFinite(intercept) && slope > 0 ? { method: 'platt', intercept, slope } : null;
}

/**
 * Isotonic regression, by pooling neighbours that would fall. A block counts half a success and half a failure more, so
 * that none is certain.
 */
export function fitIsotonic(items: readonly SaidItem[]): ProbabilityMap {
  const sorted = items.toSorted((a, b) => a.probability - b.probability);
  const byValue = [...Map.groupBy(sorted, ({ probability }) => probability)];
  const blocks = pooled(
    byValue.map(([said, group]) => {
      const count = group.length;
      return { said: said * count, count, value: group.filter(({ isTrue }) => isTrue).length / count };
    }),
  );
  const smoothed = pooled(
    blocks.map((block) => ({ ...block, value: (block.value * block.count + 0.5) / (block.count + 1) })),
  );
  return { method: 'isotonic', points: smoothed.map(({ said, count, value }) => [said / count, value]) };
}

interface Block {
  /** The sum of what was said. */
  said: number;
  count: number;
  value: number;
}

function pooled(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  for (const block of blocks) {
    let last = block;
    for (let before = kept.at(-1); before && before.value >= last.value; before = kept.at(-1)) {
      kept.pop();
      const count = before.count + last.count;
      const value = (before.value * before.count + last.value * last.count) / count;
      last = { said: before.said + last.said, count, value };
    }
    kept.push(last);
  }
  return kept;
}

function away(probability: number, closest: number): number {
  return Math.min(1 - closest, Math.max(closest, probability));
}

function logit(probability: number): number {
  const said = away(probability, CLOSEST.logit);
  return Math.log(said / (1 - said));
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
