export { type Baseline, baselineText } from '../run/compare/baseline.ts';
export type { AgainstOutcome } from '../run/compare/judge-against.ts';
export { notRunnable, type TrialJob } from '../run/conduct/begin-trial.ts';
export { type ClaimedRun, conductRun, type PerformedRun } from '../run/conduct/conduct-run.ts';
export { killedAttempt, markKilled } from '../run/conduct/killed-process.ts';
export { unusedVotesCost } from '../run/conduct/paid-votes.ts';
export { performTrial, type TrialPlace } from '../run/conduct/perform-trial.ts';
export { calledModels, type DescribedScenario, prepareScenario } from '../run/conduct/prepare-scenario.ts';
export { createRunHooks, hasTeardown, type RunHooks } from '../run/conduct/run-hooks.ts';
export type { RunEvent, RunOutcome, RunPlan, TrialRequest } from '../run/conduct/run-request.ts';
export { type ScenarioOutage, scenarioOutage } from '../run/conduct/scenario-outage.ts';
export { addFinished, missingTrials, type ScenarioState, storedStates } from '../run/conduct/scenario-state.ts';
export {
  addCosts,
  JOB_FAILED,
  noEarlierTrials,
  trialCost,
  trialCostSince,
  whatIsMissing,
} from '../run/record/earlier-trials.ts';
export { plannedCases, plannedTrials, trialKey } from '../run/record/planned-cases.ts';
export type { ScenarioSummary } from '../run/record/run-document.ts';
export type {
  RunChange,
  RunRecord,
  StoredTrial,
  TrialCost,
  TrialHead,
  TrialOutcome,
} from '../run/record/run-record.ts';
