import { createExactSum, type ExactSum } from './exact-sum.ts';

type Part = number | null | undefined;

/** Adds up costs or tokens of which some may be unknown. The order of the parts does not matter. */
export interface RunningSum {
  add(part: Part): void;
  /** Null as soon as one part is unknown: the sum of the others would look complete. */
  total(): number | null;
  /** The sum of the known parts. */
  known(): number;
}

export function createRunningSum(): RunningSum {
  return new Sum();
}

/** Every trial makes several: a class takes a fraction of the memory of closures. */
class Sum implements RunningSum {
  // A sum of two numbers is rounded only once anyway, and most sums have no more parts.
  #first: number | null = null;
  #second: number | null = null;
  #exact: ExactSum | null = null;
  #isComplete = true;

  add(part: Part): void {
    if (part === null || part === undefined) this.#isComplete = false;
    else if (this.#first === null) this.#first = part;
    else if (this.#second === null) this.#second = part;
    else {
      this.#exact ??= createExactSum([this.#first, this.#second]);
      this.#exact.add(part);
    }
  }

  total(): number | null {
    return this.#isComplete ? this.known() : null;
  }

  known(): number {
    return this.#exact?.value() ?? (this.#first ?? 0) + (this.#second ?? 0);
  }
}

/** The sum of the parts; null when one of them is unknown. */
export function sumOrUnknown(parts: Iterable<Part>): number | null {
  const sum = createRunningSum();
  for (const part of parts) sum.add(part);
  return sum.total();
}
