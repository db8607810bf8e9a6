import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { pairedCases } from './paired-cases.ts';
import { type PlannedCase, plannedCases } from './planned-cases.ts';
import type { RunRecord, TrialsOfRun } from './run-record.ts';

interface Source {
  /** The run whose traces are judged again. */
  source: RunRecord;
  only?: TrialsOfRun | undefined;
}

/** The current cases of which the source has trials, with as many trials as it planned. */
export function judgedCases(now: Scenario, { source, index, only }: Source & { index: number }): PlannedCase[] {
  const current = plannedCases(now, { options: source.options, chosen: null });
  const then = source.scenarios[index];
  if (!then) return current;
  const chosen = source.options.cases?.[index] ?? null;
  const caseNow = pairedCases(then.scenario, now);
  const planned = new Map(
    plannedCases(then.scenario, { options: source.options, chosen })
      .filter((each) => only?.case_index === undefined || each.index === only.case_index)
      .map((each) => [caseNow(each.index), isSingle(only) ? 1 : each.trials]),
  );
  return current.flatMap((each) => {
    const trials = planned.get(each.index);
    return trials === undefined ? [] : [{ ...each, trials, skip: trials === 0 ? each.skip : null }];
  });
}

/** Whether cases of the source are left out. */
export function hasPartOfCases({ source, only }: Source): boolean {
  return source.options.cases !== null || only?.case_index !== undefined;
}

/** Whether one trial is judged again. */
export function isSingle(only: TrialsOfRun | undefined): boolean {
  return only?.trial_number !== undefined;
}
