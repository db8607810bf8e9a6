import { trialKey, trialNumberAt } from '../record/planned-cases.ts';
import type { TrialJob } from './begin-trial.ts';
import type { ScenarioState } from './scenario-state.ts';

/** Scenarios take turns, and so do their cases: a run that is stopped early has trials of each. */
export function* missingTrials(states: readonly ScenarioState[]): Generator<TrialJob> {
  const mostTrials = largest(states.flatMap(({ cases }) => cases.map(({ trials }) => trials)));
  const mostCases = largest(states.map(({ cases }) => cases.length));
  for (let turn = 0; turn < mostTrials; turn += 1) {
    for (let position = 0; position < mostCases; position += 1) {
      for (const [scenario, state] of states.entries()) {
        const ofCase = state.cases[position];
        if (!ofCase || turn >= ofCase.trials) continue;
        const { index, name } = ofCase;
        const trialNumber = trialNumberAt(ofCase, turn);
        const key = trialKey(index, trialNumber);
        if (state.earlier.done.has(key)) continue;
        // Checked when the job is taken, because meanwhile it may have become certain that no trial is needed.
        if (state.ended) continue;
        if (state.outage({ isRecorded: state.earlier.traces.has(key) })) continue;
        yield { scenario, caseIndex: index, caseName: name, trialNumber };
      }
    }
  }
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), 0);
}
