import type { TrialContext } from '../packages/salvo/src/scenario/code/scenario-definition.ts';

/** What functions of a trial without data and hooks receive. */
export const TRIAL_CONTEXT: Omit<TrialContext, 'signal'> = {
  runId: 'run',
  scenario: 'scenario',
  case: '',
  row: {},
  trialNumber: 1,
  hooks: { run: undefined, scenario: undefined, trial: undefined },
};
