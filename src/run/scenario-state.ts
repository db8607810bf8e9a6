import type { PreparedScenario } from '../trial/run-trial.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { type EarlierTrials, noEarlierTrials, readEarlierTrials } from './earlier-trials.ts';
import { isVerdictCertain } from './early-stop.ts';
import { type Gates, scenarioGates } from './gates.ts';
import { countedCases, type PlannedCase, plannedCases, plannedTrials, trialKey } from './planned-cases.ts';
import type { TrialCost } from './run-record.ts';
import type { RunRequest } from './run-request.ts';
import { type ScenarioOutage, scenarioOutage } from './scenario-outage.ts';
import { createScenarioTally, type ScenarioTally } from './tally/scenario-tally.ts';

/** What is known of a scenario while its trials run. */
export interface ScenarioState {
  prepared: PreparedScenario;
  tally: ScenarioTally;
  gates: Gates;
  cases: readonly PlannedCase[];
  /** How many trials its cases have together. */
  planned: number;
  /** How many of them are part of the verdict. */
  counted: number;
  /** Whether the scenario is no part of the verdict of the run. */
  isQuarantined: boolean;
  /** What the trials cost whose trace is stored, but that have no result, by the trial's key. */
  notJudged: Map<number, TrialCost>;
  earlier: EarlierTrials;
  /** Whether later trials can no longer change the verdict, so that none is started. */
  isCertain: boolean;
  outage: ScenarioOutage;
}

/** One for each scenario, with the trials that are stored when the run is resumed. */
export async function openStates(request: RunRequest): Promise<ScenarioState[]> {
  const { run, prepared, recorder, resumed } = request;
  const states = prepared.map((scenario, index): ScenarioState => {
    const { name, threshold } = scenario.scenario;
    // Of the record, not of the files: salvo.yaml may have changed since a resumed run began.
    const recorded = run.scenarios[index]?.scenario ?? scenario.scenario;
    const gates = scenarioGates(run.options, recorded);
    const cases = plannedCases(scenario.scenario, { options: run.options, chosen: run.options.cases?.[index] ?? null });
    const tally = createScenarioTally({
      gates,
      name,
      file: scenario.relativeFile,
      model: scenario.model,
      adapter: scenario.adapterName,
      threshold,
      cases,
      startedAt: run.created_at,
    });
    const { counted, isQuarantined } = countedCases(cases, run.created_at);
    return {
      prepared: scenario,
      gates,
      tally,
      cases,
      planned: plannedTrials(cases),
      counted: plannedTrials(counted),
      isQuarantined,
      notJudged: new Map(),
      earlier: noEarlierTrials(),
      isCertain: false,
      outage: scenarioOutage({
        prepared: scenario,
        judge: request.project.config.judge,
        recordOnly: run.options.record_only,
        outageOf: request.services.outageOf,
      }),
    };
  });
  if (resumed) {
    await readEarlierTrials({
      runId: run.run_id,
      recorder,
      of: (index) => states[index]?.earlier,
      add: (index, result) => {
        const state = states[index];
        if (state) addResult(state, result, request);
      },
    });
    for (const { earlier, notJudged } of states) {
      for (const [key, { cost }] of earlier.traces) notJudged.set(key, cost);
    }
  }
  return states;
}

export function addResult(state: ScenarioState, result: TrialResult, request: RunRequest): void {
  const { options } = request.run;
  state.tally.add(result);
  state.notJudged.delete(trialKey(result.case_index, result.trial_number));
  if (!request.earlyStop || options.record_only || state.isQuarantined) return;
  const { assertions } = state.prepared.scenario;
  state.isCertain ||= isVerdictCertain(
    state.tally.counts(),
    { ...state.gates, assertions },
    { trials: state.counted, allow_unscored: options.allow_unscored },
  );
}
