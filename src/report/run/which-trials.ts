import type { ErrorGroup } from '../../run/run-document.ts';
import { safeLine } from '../../text/safe-text.ts';
import { formatNumbers } from '../terminal/format.ts';

/** Trials in which something happened, with their cases if the scenario has data. */
export type ListedTrials = Pick<ErrorGroup, 'trial_numbers' | 'trial_cases'>;

const MOST_CASES = 5;

/** `1-3, 7`; with data, the cases: `late parcel 1-3, injection 2`. */
export function whichTrials({ trial_numbers, trial_cases }: ListedTrials): string {
  if (trial_cases === undefined) return formatNumbers(trial_numbers);
  const byCase = Map.groupBy(trial_numbers.keys(), (position) => trial_cases[position] ?? '');
  const parts = [...byCase].map(([name, positions]) => {
    const numbers = positions.map((position) => trial_numbers[position] ?? 0);
    return `${safeLine(name, 40)} ${formatNumbers(numbers)}`;
  });
  const more = parts.length > MOST_CASES ? ` and ${parts.length - MOST_CASES} more` : '';
  return `${parts.slice(0, MOST_CASES).join(', ')}${more}`;
}
