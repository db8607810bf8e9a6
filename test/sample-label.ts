import type { HumanLabel } from '../packages/salvo/src/judge/calibration/human-label.ts';

/** Ada passes a trial, but for what the test says. */
export function sampleLabel(changes: Partial<HumanLabel> = {}): HumanLabel {
  return {
    label_id: 'label-1',
    trace_id: 'trace-1',
    run_id: 'run-1',
    scenario_index: 0,
    scenario: 'greeting',
    file: 'scenarios/greeting.yaml',
    case_index: 0,
    case: null,
    trial_number: 1,
    assertion_id: null,
    criterion: null,
    passed: true,
    score: null,
    note: '',
    labelled_by: 'Ada',
    created_at: '2026-01-01T00:00:00.000Z',
    ...changes,
  };
}
