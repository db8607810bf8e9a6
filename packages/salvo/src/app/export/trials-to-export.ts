import type { TrialToExport } from '../../report/export/exported-parts.ts';
import { type CarriedMessages, lostFields } from '../../report/export/lost-fields.ts';
import type { Workplace } from '../project/open-project.ts';
import { openRun } from '../results/open-run.ts';

/** What was exported, and what was not. */
export interface ExportTally {
  trials: number;
  /** Trials that ended before there was a trace. */
  withoutTrace: number;
  /** In how many trials a field had something that the form cannot say. */
  lost: Map<string, number>;
}

export function newTally(): ExportTally {
  return { trials: 0, withoutTrace: 0, lost: new Map() };
}

/** The trials of runs that have a trace, one at a time. `carried` is missing for a form that loses nothing. */
export async function* trialsToExport(
  { what, ...place }: Workplace & { what: readonly string[] },
  tally: ExportTally,
  carried: CarriedMessages | null,
): AsyncGenerator<TrialToExport> {
  for (const run of what) {
    await using opened = await openRun({ ...place, run });
    const { scenarios } = opened.run;
    for await (const { trace, row: _, ...trial } of opened.trials()) {
      if (trace === null) {
        tally.withoutTrace += 1;
        continue;
      }
      const isSame = (entry: (typeof scenarios)[number]) =>
        entry.name === trial.scenario &&
        entry.file === trial.file &&
        entry.adapter === trial.adapter &&
        entry.model === trial.model;
      const tools = scenarios.find(isSame)?.scenario.tools ?? [];
      for (const field of carried ? lostFields(trace, carried) : []) {
        tally.lost.set(field, (tally.lost.get(field) ?? 0) + 1);
      }
      tally.trials += 1;
      yield { ...trial, trace, tools };
    }
  }
}
