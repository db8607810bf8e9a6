import { normalQuantile, studentQuantile, Z_95 } from '../../stats/normal.ts';

/** What decides how small a difference can be found. */
export type Design =
  /** Cases or pairs of trials, of which each has a difference. */
  | {
      paired: true;
      units: number;
      /** How far the differences vary if the runs are alike. */
      variance: number;
      /** Trials of the new run in each unit. */
      trialsEach: number;
      /** The pass rate to begin with. */
      rate: number;
    }
  /** Independent trials. */
  | { paired: false; base: number; next: number; rate: number };

const STEP = 0.001;
/** In how many runs a difference must be found. */
const POWER = 0.8;

/**
 * The smallest change of the pass rate, from `rate` towards the middle, that is found with p < `alpha` in four of five
 * runs of this design. Null if not even the largest is. By the normal approximation; `npm run bench compare` shows how
 * often such differences are found.
 */
export function smallestDetectable(design: Design, alpha: number): number | null {
  const demands = demandsOf(alpha);
  const steps = Math.round(Math.max(design.rate, 1 - design.rate) / STEP);
  for (let step = 1; step <= steps; step += 1) if (isDetectable(design, step * STEP, demands)) return step * STEP;
  return null;
}

/** The same for the mean over several scenarios, if all of them change as much. */
export function smallestDetectableMean(designs: readonly Design[], alpha: number): number | null {
  for (let change = STEP; change <= 1; change += STEP) if (isMeanDetectable(designs, change, alpha)) return change;
  return null;
}

/** Whether a change of all scenarios by this much is found in their mean. */
export function isMeanDetectable(designs: readonly Design[], change: number, alpha: number, wanted = POWER): boolean {
  const { z, power } = demandsOf(alpha, wanted);
  const variance = designs.reduce((sum, design) => sum + varianceAfter(design, change), 0);
  return change * designs.length >= (z + power) * Math.sqrt(variance);
}

function varianceAfter(design: Design, change: number): number {
  if (design.paired) return (design.variance + (change * (1 - change)) / design.trialsEach) / design.units;
  const { base, next, rate } = design;
  const after = rate >= 0.5 ? Math.max(0, rate - change) : Math.min(1, rate + change);
  return (rate * (1 - rate)) / base + (after * (1 - after)) / next;
}

/** The factor by which a design must grow to find this change; 1 or less if it is large enough. */
export function growthFor(design: Design, change: number, alpha: number, power = POWER): number {
  const demands = demandsOf(alpha, power);
  const possible = Math.min(change, Math.max(design.rate, 1 - design.rate));
  let [low, high] = [0, 1];
  while (!isDetectable(grown(design, high), possible, demands) && high < 1e6) high *= 2;
  while (high - low > 1e-4 * high) {
    const middle = (low + high) / 2;
    if (isDetectable(grown(design, middle), possible, demands)) high = middle;
    else low = middle;
  }
  return high;
}

function grown(design: Design, factor: number): Design {
  if (design.paired) return { ...design, units: design.units * factor };
  return { ...design, base: design.base * factor, next: design.next * factor };
}

/** Standard errors: from 0 to what is significant, and from there to the middle of what is found. */
function demandsOf(alpha: number, power = POWER) {
  return { z: normalQuantile(alpha / 2), power: normalQuantile(1 - power) };
}

function isDetectable(design: Design, change: number, { z, power }: ReturnType<typeof demandsOf>): boolean {
  if (design.paired) {
    const { units, variance, trialsEach } = design;
    if (units < 2) return false;
    // Few units are judged by Student's t, whose points are farther out.
    const few = studentQuantile(Math.max(1, Math.floor(units) - 1)) / Z_95;
    const changed = variance + (change * (1 - change)) / trialsEach;
    return change >= (z * few + power) * Math.sqrt(changed / (units - 1));
  }
  const { base, next, rate } = design;
  const after = rate >= 0.5 ? rate - change : rate + change;
  const both = (base * rate + next * after) / (base + next);
  const byChance = Math.sqrt(both * (1 - both) * (1 / base + 1 / next));
  const ifChanged = Math.sqrt((rate * (1 - rate)) / base + (after * (1 - after)) / next);
  // The correction of Casagrande, Pike and Smith (1978): an exact test needs more than the approximation says.
  const correction = (1 / base + 1 / next) / 2;
  return change - correction >= z * byChance + power * ifChanged;
}
