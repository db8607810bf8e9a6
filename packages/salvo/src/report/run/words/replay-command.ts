import { shellQuote } from '../../../text/output/quote-output.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { salvoCommand } from '../../../text/output/salvo-command.ts';

/**
 * The command that shows the conversation of a trial. Without a run id it is about the latest run, which only holds
 * right after that run.
 */
export function replayCommand(trial: {
  runId: string | null;
  scenario: string;
  /** Null or missing in a scenario without data. */
  caseName?: string | null | undefined;
  /** Null: the first that failed. */
  trialNumber: number | null;
}): string {
  const name = safeLine(
    [trial.scenario, ...(trial.caseName === null || trial.caseName === undefined ? [] : [trial.caseName])].join('/'),
  );
  const number = trial.trialNumber === null ? '' : ` ${trial.trialNumber}`;
  // Alone, `-x` would be read as an option, and `latest` as the run.
  const isPlain = !/^(?:-|latest(?:\/|$))/.test(name);
  const run = trial.runId === null ? 'latest' : safeLine(trial.runId, 40);
  const target = trial.runId === null && isPlain ? name : `${run}/${name}`;
  // The number apart, because a case may be named `a/2`.
  return `${salvoCommand()} replay ${shellQuote(target)}${number}`;
}
