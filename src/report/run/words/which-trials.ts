import type { ErrorGroup } from '../../../run/record/run-document.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { formatNumbers } from '../../terminal/format.ts';

/** Trials in which something happened, with their cases if the scenario has data. */
export type ListedTrials = Pick<ErrorGroup, 'trial_numbers' | 'trial_cases'>;

const MOST_CASES = 5;

/** `trials 1-3, 7`; with data, the cases that they are of: `cases late parcel, injection`. */
export function whichTrials({ trial_numbers, trial_cases }: ListedTrials): string {
  if (trial_cases === undefined) {
    return `${trial_numbers.length === 1 ? 'trial' : 'trials'} ${formatNumbers(trial_numbers)}`;
  }
  const names = [...new Set(trial_cases)].map((name) => safeLine(name, 40));
  const more = names.length > MOST_CASES ? ` and ${names.length - MOST_CASES} more` : '';
  return `${names.length === 1 ? 'case' : 'cases'} ${names.slice(0, MOST_CASES).join(', ')}${more}`;
}
