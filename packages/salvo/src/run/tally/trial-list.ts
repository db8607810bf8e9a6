import { type PlannedCase, readTrialKey, trialKey } from '../record/planned-cases.ts';

export type TrialList = ReturnType<typeof createTrialList>;

interface ListedTrial {
  case_index: number;
  trial_number: number;
}

const MAX_LISTED = 20;

/** The trials in which something happened, in order of cases. All are counted, and the first twenty are listed. */
export function createTrialList() {
  const lowest: number[] = [];
  let count = 0;
  const first = () => lowest[0] ?? Number.POSITIVE_INFINITY;
  return {
    add({ case_index, trial_number }: ListedTrial): void {
      count += 1;
      const key = trialKey(case_index, trial_number);
      const after = lowest.findIndex((other) => other > key);
      lowest.splice(after === -1 ? lowest.length : after, 0, key);
      if (lowest.length > MAX_LISTED) lowest.pop();
    },
    /** Whether a trial comes before all of the list. */
    isFirst: ({ case_index, trial_number }: ListedTrial) => trialKey(case_index, trial_number) < first(),
    /** The number of trials, listed or not. */
    count: () => count,
    /** Of the first trial; infinite if there is none. */
    first,
    /** The first trials, in order. */
    keys: () => [...lowest],
  };
}

/** Several lists as one. */
export function mergedTrials(lists: readonly TrialList[]): number[] {
  return lists
    .flatMap((each) => each.keys())
    .sort((a, b) => a - b)
    .slice(0, MAX_LISTED);
}

/** The listed trials as documents have them. */
export type NameTrials = (keys: readonly number[]) => { trial_numbers: number[]; trial_cases?: string[] };

export function trialNames(cases: readonly PlannedCase[]): NameTrials {
  const hasData = cases.some(({ name }) => name !== null);
  // Most runs list few trials, at their end, and may have thousands of cases.
  let known: Map<number, string | null> | null = null;
  return (keys) => {
    const trials = keys.map(readTrialKey);
    known ??= new Map(cases.map(({ index, name }) => [index, name]));
    const names = known;
    return {
      trial_numbers: trials.map(({ trialNumber }) => trialNumber),
      ...(hasData && { trial_cases: trials.map(({ caseIndex }) => names.get(caseIndex) ?? String(caseIndex + 1)) }),
    };
  };
}
