import type { ErrorGroup } from '../../../run/record/run-document.ts';
import { formatNumbers } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';

/** Trials in which something happened, with their cases if the scenario has data. Documents list the first twenty. */
export type ListedTrials = Pick<ErrorGroup, 'trial_numbers' | 'trial_cases'>;

const MOST_CASES = 5;

/** `trials 1-3, 7`; with data, the cases that they are of: `cases late parcel, injection`. `count` is of all trials. */
export function whichTrials({ trial_numbers, trial_cases }: ListedTrials, count: number): string {
  const unlisted = count - trial_numbers.length;
  if (trial_cases === undefined) {
    return `${count === 1 ? 'trial' : 'trials'} ${formatNumbers(trial_numbers, Math.max(0, unlisted))}`;
  }
  const names = [...new Set(trial_cases)].map((name) => safeLine(name, 40));
  const rest = names.length - MOST_CASES;
  // How many cases the trials that are not listed are of is not known.
  const more = unlisted > 0 ? ' and more' : rest > 0 ? ` and ${rest} more` : '';
  return `${names.length === 1 && more === '' ? 'case' : 'cases'} ${names.slice(0, MOST_CASES).join(', ')}${more}`;
}
