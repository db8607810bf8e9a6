import type { FlakyCase } from '../record/flaky-case.ts';
import type { ScenarioSummary } from '../record/run-document.ts';
import type { RunRecord, RunScenario } from '../record/run-record.ts';

type KnownRun = Pick<RunRecord, 'run_id' | 'git' | 'reeval_of'> & { scenarios: Omit<RunScenario, 'scenario'>[] };

/**
 * What both passed and failed at one commit, with the same scenario, adapter and model. Runs with uncommitted changes
 * say nothing about a commit, and runs that judged stored traces again have no trials of their own.
 */
export function flakyCases(runs: readonly KnownRun[]): FlakyCase[] {
  const found = new Map<string, FlakyCase>();
  for (const { run_id, git, reeval_of, scenarios } of runs) {
    if (git === null || git.dirty || reeval_of !== null) continue;
    for (const { name, file, adapter, model, scenario_hash, summary } of scenarios) {
      if (!summary) continue;
      for (const { ofCase, passed, scored } of outcomes(summary)) {
        if (scored === 0) continue;
        const key = JSON.stringify([git.commit, file, name, adapter, model, scenario_hash, ofCase]);
        const known = found.get(key) ?? {
          ...{ scenario: name, file, adapter, model, case: ofCase, commit: git.commit },
          ...{ trials_passed: 0, trials_scored: 0, runs: [], failed_in: '' },
        };
        known.trials_passed += passed;
        known.trials_scored += scored;
        known.runs.push(run_id);
        if (passed < scored && known.failed_in === '') known.failed_in = run_id;
        found.set(key, known);
      }
    }
  }
  return [...found.values()].filter((each) => each.trials_passed > 0 && each.trials_passed < each.trials_scored);
}

function outcomes(summary: ScenarioSummary): { ofCase: string | null; passed: number; scored: number }[] {
  if (summary.cases.length === 0) {
    return [{ ofCase: null, passed: summary.trials_passed, scored: summary.trials_scored }];
  }
  return summary.cases.map((each) => ({
    ofCase: each.case,
    passed: each.trials_passed,
    scored: each.trials_scored,
  }));
}
