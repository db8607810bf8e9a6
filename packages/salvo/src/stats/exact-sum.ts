/**
 * A sum that is rounded once, at the end (Shewchuk's partials, as in Python's `math.fsum`).
 * It is the same to the last bit in any order of the values, and ten times 0.1 is 1.
 */
export interface ExactSum {
  add(value: number): void;
  value(): number;
}

export function createExactSum(values: Iterable<number> = []): ExactSum {
  const sum = new Partials();
  for (const value of values) sum.add(value);
  return sum;
}

const NONE: readonly number[] = [];

/**
 * A run has one for each of its cases. So it is a class: closures would take several times as much memory. So would a
 * list for all partials, because most sums have only one.
 */
class Partials implements ExactSum {
  /** Together with the largest, they are the exact sum. Non-overlapping, smallest first; rarely more than two. */
  #smaller = NONE;
  /** Null before the first value. */
  #largest: number | null = null;

  add(value: number): void {
    let smaller: number[] | null = null;
    let rest = value;
    const count = this.#smaller.length;
    for (let index = 0; index <= count; index += 1) {
      const partial = index < count ? this.#smaller[index] : this.#largest;
      if (partial === null || partial === undefined) continue;
      const isLess = Math.abs(rest) < Math.abs(partial);
      const large = isLess ? partial : rest;
      const small = isLess ? rest : partial;
      const high = large + small;
      const low = small - (high - large);
      // Most sums need no list.
      if (low !== 0) {
        smaller ??= [];
        smaller.push(low);
      }
      rest = high;
    }
    this.#smaller = smaller ?? NONE;
    this.#largest = rest;
  }

  value(): number {
    if (this.#largest === null) return 0;
    return this.#smaller === NONE ? this.#largest : roundOnce([...this.#smaller, this.#largest]);
  }
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
