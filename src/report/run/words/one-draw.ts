import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import { formatInterval, MISSING } from '../../../stats/format.ts';
import { namesWhere } from './scenario-handles.ts';

/** The interval of a pass rate. That of trials that are one draw does not hold; only the full report explains why. */
export function intervalText(
  { identical_trials, pass_rate_ci }: ScenarioSummary,
  { full }: { full: boolean } = { full: false },
): string {
  if (identical_trials) return full ? 'one draw' : MISSING;
  return formatInterval(pass_rate_ci);
}

/** What `one draw` means, and in which scenarios it was so; null if in none. */
export function oneDrawNote(scenarios: readonly ScenarioSummary[]): string | null {
  const where = namesWhere(scenarios, ({ identical_trials }) => identical_trials);
  if (where === null) return null;
  return (
    `One draw: in ${where} every trial gave the same answer, to the byte. If the agent cannot answer otherwise ` +
    '(temperature 0), that is one sample of it: a 95% interval does not hold, and fewer trials would do.'
  );
}
