import { createExactSum } from './exact-sum.ts';

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
  const sum = createExactSum();
  let isComplete = true;
  return {
    add(part) {
      if (part === null || part === undefined) isComplete = false;
      else sum.add(part);
    },
    total: () => (isComplete ? sum.value() : null),
    known: () => sum.value(),
  };
}

/** The sum of the parts; null when one of them is unknown. */
export function sumOrUnknown(parts: Iterable<Part>): number | null {
  return runningSumOf(parts).total();
}

/** The sum of the parts that are known. */
export function sumOfKnown(parts: Iterable<Part>): number {
  return runningSumOf(parts).known();
}

function runningSumOf(parts: Iterable<Part>): RunningSum {
  const sum = createRunningSum();
  for (const part of parts) sum.add(part);
  return sum;
}
