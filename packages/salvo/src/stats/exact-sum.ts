export interface ExactSum {
  add(value: number): void;
  value(): number;
}

/**
 * A sum that is rounded once, at the end (Shewchuk's partials, as in Python's `math.fsum`).
 * It is the same to the last bit in any order of the values, and ten times 0.1 is 1.
 */
export function createExactSum(values: Iterable<number> = []): ExactSum {
  /** Non-overlapping, smallest first; together they are the exact sum. Rarely more than three. */
  const partials: number[] = [];
  const sum: ExactSum = {
    add(value) {
      let rest = value;
      let kept = 0;
      for (const partial of partials) {
        const [large, small] = Math.abs(rest) < Math.abs(partial) ? [partial, rest] : [rest, partial];
        const high = large + small;
        const low = small - (high - large);
        if (low !== 0) partials[kept++] = low;
        rest = high;
      }
      partials.length = kept;
      partials.push(rest);
    },
    value: () => roundOnce(partials),
  };
  for (const value of values) sum.add(value);
  return sum;
}

export function exactSum(values: Iterable<number>): number {
  return createExactSum(values).value();
}

function roundOnce(partials: readonly number[]): number {
  let index = partials.length - 1;
  let high = partials[index] ?? 0;
  let low = 0;
  while (index > 0 && low === 0) {
    index -= 1;
    const next = partials[index] ?? 0;
    const sum = high + next;
    low = next - (sum - high);
    high = sum;
  }
  // In half-way cases the smaller partials decide how the last bit is rounded.
  const below = partials[index - 1] ?? 0;
  if ((low < 0 && below < 0) || (low > 0 && below > 0)) {
    const twice = low * 2;
    const rounded = high + twice;
    if (rounded - high === twice) return rounded;
  }
  return high;
}
