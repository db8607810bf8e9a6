import type { ToolsContext } from '../packages/salvo/src/trial/tools/tool-source.ts';

/** A trial without data and hooks. */
export const TRIAL_CONTEXT: ToolsContext = {
  runId: 'run',
  scenario: 'scenario',
  case: '',
  row: {},
  trialNumber: 1,
  hooks: { run: undefined, scenario: undefined, trial: undefined },
  state: { document: {} },
};
