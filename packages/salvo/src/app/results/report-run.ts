import type { RunReport, RunStream } from '../../report/run/run-report.ts';
import { storedRunReport } from '../../report/run/stored-run-report.ts';
import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import type { RunOutcome } from '../../run/conduct/run-request.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { OpenRun } from './open-run.ts';

/** A stored run, or one that has just ended: that one also has what is not stored. */
export interface ReportableRun extends Pick<OpenRun, 'run' | 'store' | 'notes'> {
  outcome?: Pick<RunOutcome, 'verdict' | 'exitCode' | 'budgetRefusal' | 'earlierTrials'> | undefined;
  against?: AgainstOutcome | null | undefined;
}

/** A run in the two forms that every report is made of: for people, and as a stream of trials. */
export async function reportRun(opened: ReportableRun): Promise<{ report: RunReport; stream: RunStream }> {
  const { store, outcome, against } = opened;
  // Nobody has labelled the trials of a run that has just begun and ended.
  const run = outcome?.earlierTrials === 0 ? opened.run : await labelled(store, opened.run);
  if (!outcome && run.verdict === null) {
    const { howToComplete } = await import('./choose-trial.ts');
    throw new SalvoError('RUN_UNFINISHED', `Run ${run.run_id} has no verdict yet.${await howToComplete(store, run)}`);
  }
  const { report, stream } = await storedRunReport(store, run);
  const stopped = outcome?.budgetRefusal == null ? [] : [`Stopped: ${outcome.budgetRefusal}.`];
  const notes = [...(report.notes ?? []), ...opened.notes, ...stopped];
  const ended = outcome && { verdict: outcome.verdict, exit_code: outcome.exitCode };
  return {
    report: { ...report, ...ended, notes, against, resumed: outcome?.earlierTrials },
    stream: { ...stream, notes, against, run: { ...stream.run, ...ended } },
  };
}

async function labelled(store: OpenRun['store'], run: OpenRun['run']): Promise<OpenRun['run']> {
  const { withLabels } = await import('./with-labels.ts');
  return await withLabels(store, run);
}
