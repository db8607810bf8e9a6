import { KILLED } from '../../stats/cost.ts';
import { addCosts, trialCost } from '../record/earlier-trials.ts';
import { trialKey } from '../record/planned-cases.ts';
import type { RunRecord, RunRecorder, TrialCost } from '../record/run-record.ts';
import type { TrialJob } from './begin-trial.ts';
import { missingTrials, type ScenarioState } from './scenario-state.ts';

/** An attempt of a trial that ended with its process: nobody knows which of its calls were billed. */
export function killedAttempt({ isRecorded }: { isRecorded: boolean }): TrialCost {
  return trialCost({ agent: isRecorded ? null : KILLED, judges: KILLED });
}

/**
 * Notes that a process was killed which worked on the run: the cost of each scenario with missing trials is a lower bound
 * from now on. Which trials were under way is not known, so one of them stands for all, as an attempt of unknown cost.
 */
export async function markKilled(
  states: readonly ScenarioState[],
  { run, recorder }: { run: Pick<RunRecord, 'run_id'>; recorder: Pick<RunRecorder, 'saveTrial'> },
): Promise<void> {
  const byScenario = Map.groupBy(missingTrials(states), ({ scenario }) => scenario);
  for (const [scenario, missing] of byScenario) {
    const { earlier } = states[scenario] ?? {};
    if (!earlier) continue;
    const keyOf = ({ caseIndex, trialNumber }: TrialJob) => trialKey(caseIndex, trialNumber);
    // A trial without an answer has a result, which must be kept until it is repeated.
    const isFree = (job: TrialJob) => !earlier.unanswered.has(keyOf(job));
    const trial = missing.find(isFree) ?? missing[0];
    if (!trial) continue;
    const key = keyOf(trial);
    const isRecorded = missing.every((job) => earlier.traces.has(keyOf(job)));
    const cost = addCosts(earlier.repeatedCosts.get(key) ?? null, killedAttempt({ isRecorded }));
    earlier.repeatedCosts.set(key, cost);
    if (!isFree(trial)) continue;
    const trace = earlier.traces.get(key);
    await recorder.saveTrial({
      ...{ run_id: run.run_id, scenario_index: scenario, case_index: trial.caseIndex, case: trial.caseName },
      ...{ trial_number: trial.trialNumber, trace_id: trace?.traceId ?? null, result: trace?.unscored ?? null },
      earlier_cost: cost,
    });
  }
}
