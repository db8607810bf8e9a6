import type { ScenarioSummary } from '../../run/record/run-document.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { isGreen } from './verdict.ts';

const MOST_NAMED = 5;
const LONGEST_ID = 120;

/**
 * The assertions that failed in every trial in which they were scored: `never passed: polite (0 of 3)`. Null if there is
 * none. A single trial that failed is no news, so then only a green scenario names them.
 */
export function neverPassedLine(scenario: Pick<ScenarioSummary, 'never_passed' | 'verdict'>): string | null {
  const named = scenario.never_passed.filter(({ trials }) => trials > 1 || isGreen(scenario));
  if (named.length === 0) return null;
  const words = named.slice(0, MOST_NAMED).map(({ assertion_id: id, trials, counts }) => {
    const note = counts ? '' : '; weight 0, so it does not count';
    return `${safeLine(id, LONGEST_ID)} (0 of ${trials}${note})`;
  });
  const rest = named.length - words.length;
  return `never passed: ${[...words, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')}`;
}
