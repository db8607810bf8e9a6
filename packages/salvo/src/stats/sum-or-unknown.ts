import { createExactSum, type ExactSum } from './exact-sum.ts';

type Part = number | null | undefined;

/** Adds up costs or tokens of which some may be unknown. The order of the parts does not matter. */
export function createRunningSum() {
  // A sum of two numbers is rounded only once anyway, and most sums have no more parts.
  const first: number[] = [];
  let exact: ExactSum | null = null;
  let isComplete = true;
  /** The sum of the known parts. */
  const known = (): number => exact?.value() ?? (first[0] ?? 0) + (first[1] ?? 0);
  return {
    add(part: Part): void {
      if (part === null || part === undefined) {
        isComplete = false;
      } else if (first.length < 2) {
        first.push(part);
      } else {
        exact ??= createExactSum(first);
        exact.add(part);
      }
    },
    /** Null as soon as one part is unknown: the sum of the others would look complete. */
    total: (): number | null => (isComplete ? known() : null),
    known,
  };
}

/** The sum of the parts; null when one of them is unknown. */
export function sumOrUnknown(parts: Iterable<Part>): number | null {
  const sum = createRunningSum();
  for (const part of parts) sum.add(part);
  return sum.total();
}
