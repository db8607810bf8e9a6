/** The share of a normal distribution above `z`: Abramowitz and Stegun 26.2.17, to six digits. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}

/** The point that a normal distribution exceeds with this probability, for 0 < tail < 1. */
export function normalQuantile(tail: number): number {
  if (!(tail > 0 && tail < 1)) throw new RangeError(`a tail is between 0 and 1, got ${tail}`);
  let [low, high] = [-40, 40];
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (normalTail(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
