/** The 97.5% point of the normal distribution, for two-sided intervals of 95%. */
export const Z_95 = 1.959963984540054;

/**
 * The Wilson score interval of a rate, of 95% unless `z` is given. Unlike the normal approximation it holds for few trials and rates of 0 or 1.
 * Null when there were no trials.
 */
export function wilsonInterval(
  { passed, total }: { passed: number; total: number },
  z = Z_95,
): [number, number] | null {
  if (!(passed >= 0 && passed <= total)) throw new RangeError(`${passed} of ${total} is not a rate`);
  if (total === 0) return null;
  const rate = passed / total;
  const z2 = z * z;
  const centre = rate + z2 / (2 * total);
  const half = z * Math.sqrt((rate * (1 - rate)) / total + z2 / (4 * total * total));
  const scale = 1 + z2 / total;
  // For rates of 0 and 1 the bound is exact; computed, it would be off by the last bit.
  const low = passed === 0 ? 0 : Math.max(0, (centre - half) / scale);
  const high = passed === total ? 1 : Math.min(1, (centre + half) / scale);
  return [Math.min(low, rate), Math.max(high, rate)];
}
