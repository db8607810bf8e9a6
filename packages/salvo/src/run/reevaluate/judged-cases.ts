import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { pairedCases } from '../record/paired-cases.ts';
import { type PlannedCase, plannedCases } from '../record/planned-cases.ts';
import type { RunRecord, TrialsOfRun } from '../record/run-record.ts';

interface Source {
  /** The run whose traces are judged again. */
  source: RunRecord;
  only?: TrialsOfRun | undefined;
}

interface JudgedCase extends PlannedCase {
  /** That of the scenario as the source has it. */
  quarantineThen: PlannedCase['quarantine'];
}

/** The current cases of which the source has trials, with as many trials as it planned. */
export function judgedCases(now: Scenario, { source, index, only }: Source & { index: number }): JudgedCase[] {
  const current = plannedCases(now, { options: source.options, chosen: null });
  const then = source.scenarios[index];
  if (!then) return current.map((each) => ({ ...each, quarantineThen: each.quarantine }));
  const chosen = source.options.cases?.[index] ?? null;
  const caseNow = pairedCases(then.scenario, now);
  const planned = new Map(
    plannedCases(then.scenario, { options: source.options, chosen })
      .filter((each) => only?.case_index === undefined || each.index === only.case_index)
      .map(({ index: at, trials, quarantine }) => [caseNow(at), { trials: isSingle(only) ? 1 : trials, quarantine }]),
  );
  return current.flatMap((each) => {
    const before = planned.get(each.index);
    if (!before) return [];
    const { trials, quarantine: quarantineThen } = before;
    return [{ ...each, trials, skip: trials === 0 ? each.skip : null, quarantineThen }];
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
