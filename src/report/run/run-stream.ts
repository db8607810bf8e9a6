import type { RunDocument, ScenarioSummary } from '../../run/run-document.ts';
import type { TrialResult } from '../../trial/trial-result.ts';

/**
 * A finished run whose trials are read as they are written out, so that a report of 10,000 trials needs no more memory
 * than one of ten. `trials` is called anew by each report, and may be called more than once by one.
 */
export interface RunStream {
  run: Omit<RunDocument, 'scenarios'>;
  scenarios: readonly ScenarioStream[];
}

export interface ScenarioStream {
  summary: ScenarioSummary;
  /** In order of trial number. */
  trials: () => AsyncIterable<TrialResult> | Iterable<TrialResult>;
}

/** Where a report goes. A promise is waited for: that is how a slow reader holds the report back. */
export type Write = (text: string) => void | Promise<void>;
