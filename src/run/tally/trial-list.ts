export interface TrialList {
  add(trialNumber: number): void;
  /** The number of trials, listed or not. */
  count(): number;
  first(): number;
  /** The lowest numbers, in order. */
  numbers(): number[];
}

const MAX_LISTED = 20;

/** The trials in which something happened. All are counted, and the twenty lowest numbers are listed. */
export function createTrialList(): TrialList {
  const lowest: number[] = [];
  let count = 0;
  return {
    add(trialNumber) {
      count += 1;
      const after = lowest.findIndex((other) => other > trialNumber);
      lowest.splice(after === -1 ? lowest.length : after, 0, trialNumber);
      if (lowest.length > MAX_LISTED) lowest.pop();
    },
    count: () => count,
    first: () => lowest[0] ?? Number.POSITIVE_INFINITY,
    numbers: () => [...lowest],
  };
}
