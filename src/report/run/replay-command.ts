import { safeLine } from '../../text/safe-text.ts';
import { shellQuote } from '../../text/shell-quote.ts';

/**
 * The command that shows the conversation of a trial. Without a run id it is about the latest run, which only holds
 * right after that run.
 */
export function replayCommand(trial: { runId: string | null; scenario: string; trialNumber: number }): string {
  const name = safeLine(trial.scenario);
  // A name that begins with a dash would be read as an option.
  if (trial.runId === null && !name.startsWith('-')) return `salvo replay ${shellQuote(name)} ${trial.trialNumber}`;
  const run = trial.runId === null ? 'latest' : safeLine(trial.runId, 40);
  return `salvo replay ${shellQuote(`${run}/${name}/${trial.trialNumber}`)}`;
}
