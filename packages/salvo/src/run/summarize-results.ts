import type { TrialResult } from '../trial/trial-result.ts';
import { isOnlyRecorded, plannedCases } from './record/planned-cases.ts';
import type { ScenarioSummary } from './record/run-document.ts';
import type { RunRecord, TrialCost } from './record/run-record.ts';
import { createScenarioTally } from './tally/scenario-tally.ts';
import { scenarioGates } from './verdict/gates.ts';
import { runVerdict } from './verdict/verdict.ts';

/** The summary of other results than those that a run of one scenario ended with, or by another `minPassRate`. */
export function summarizeResults(options: {
  run: RunRecord;
  /** As the run ended. */
  ended: ScenarioSummary;
  results: readonly TrialResult[];
  /** What attempts cost that were repeated. */
  earlierCosts?: readonly TrialCost[] | undefined;
  minPassRate?: number | undefined;
}) {
  const { run, ended, results, earlierCosts, minPassRate } = options;
  const scenario = run.scenarios[0]?.scenario;
  if (!scenario) throw new Error('A run of one scenario has no scenario.');
  const flags = { ...run.options, min_pass_rate: minPassRate ?? run.options.min_pass_rate };
  const { name, file, model, adapter, stopped, stop_error: stopError } = ended;
  const tally = createScenarioTally({
    gates: scenarioGates(flags, scenario),
    startedAt: run.created_at,
    ...{ name, file, model, adapter, prompt_of: ended.prompt_of },
    threshold: scenario.threshold,
    cases: plannedCases(scenario, { options: flags, chosen: flags.cases?.[0] ?? null }),
  });
  for (const result of results) tally.add(result);
  const { allow_unscored: allowUnscored } = flags;
  const recordOnly = isOnlyRecorded(flags, scenario);
  const summary = tally.summary({ stopped, stopError, earlierCosts, allowUnscored, recordOnly });
  return { summary, ...runVerdict([summary.verdict]) };
}
