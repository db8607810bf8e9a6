import type { RunRecord } from '../../run/record/run-record.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';

const MOST_NAMED = 10;

/** Trials of two agents together say nothing about either of them, so this is refused unless it is asked for. */
export function changedAgent(sentence: string, changes: readonly string[]): SalvoError {
  const named = changes.slice(0, MOST_NAMED).join(', ');
  const more = changes.length > MOST_NAMED ? `, and ${changes.length - MOST_NAMED} more` : '';
  return new SalvoError(
    'AGENT_CHANGED',
    `${sentence}: ${named}${more}. Undo the change, start a new run, or add {option:mixed} to have trials of both agents in one run.`,
  );
}

/** What the options of a run say about changes of its agents. */
export function mixture(changes: readonly string[]): Pick<RunRecord['options'], 'mixed'> {
  return changes.length === 0 ? {} : { mixed: [...new Set(changes)] };
}
