import { fileChecks } from './check-files.ts';
import { workspaceChecks } from './check-workspace.ts';
import type { FileChecks, ScenarioChecks } from './scenario-checks.ts';

/** Looks at everything that a scenario names and that trials need on the disk. */
export function namedFileChecks(places: ScenarioChecks): FileChecks {
  const all = [fileChecks(places), workspaceChecks(places)];
  return {
    check(report, scenario) {
      for (const each of all) each.check(report, scenario);
    },
    found: () => Object.assign({}, ...all.map((each) => each.found())),
  };
}
