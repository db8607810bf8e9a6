import { meetsThreshold } from '../stats/meets-threshold.ts';
import type { ScenarioSummary, Verdict } from './run-document.ts';
import type { TrialCounts } from './tally/trial-counts.ts';

/** What a run was told to let through, and what to insist on. */
export interface VerdictPolicy {
  allowUnscored: boolean;
  /** The share of scored trials that has to pass, beside the mean score; null when it does not matter. */
  minPassRate: number | null;
  /** The run was only to record traces: nothing was checked. */
  recordOnly: boolean;
}

export interface ScenarioOutcome {
  counts: Omit<TrialCounts, 'scoreSum'>;
  planned: number;
  /** Trials whose agent came to its end, whether anything was checked or not. */
  recorded: number;
  scoreAvg: number | null;
  threshold: number;
  stopped: ScenarioSummary['stopped'];
}

/** What the N trials of a scenario amount to. What could not be told is never taken for a failure, nor for a pass. */
export function scenarioVerdict(outcome: ScenarioOutcome, policy: VerdictPolicy): Verdict {
  const { counts, scoreAvg, threshold } = outcome;
  if (policy.recordOnly) return outcome.recorded > 0 ? 'RECORDED' : 'UNSCORED';
  if (counts.scored === 0) return 'UNSCORED';
  if (!policy.allowUnscored && (counts.unscored > 0 || hasMissingTrials(outcome))) return 'UNSCORED';
  if (counts.hardFailed > 0) return 'HARD_FAIL';
  const passRate = counts.passed / counts.scored;
  const scoreSuffices = scoreAvg !== null && meetsThreshold(scoreAvg, threshold);
  const rateSuffices = policy.minPassRate === null || meetsThreshold(passRate, policy.minPassRate);
  if (scoreSuffices && rateSuffices) return 'PASS';
  return counts.passed > 0 ? 'PARTIAL' : 'FAIL';
}

/** An early stop leaves out only trials that could not have mattered; anything else leaves out trials that could. */
function hasMissingTrials({ counts, planned, stopped }: ScenarioOutcome): boolean {
  return counts.total < planned && stopped !== 'early_stop';
}

const EXIT_CODES = { PASS: 0, RECORDED: 0, PARTIAL: 1, FAIL: 1, HARD_FAIL: 2, UNSCORED: 3 } as const;

const WORST_FIRST = ['UNSCORED', 'HARD_FAIL', 'FAIL', 'PARTIAL', 'PASS', 'RECORDED'] as const;

/** The verdict of a run is that of its worst scenario. A run of nothing proved nothing. */
export function runVerdict(verdicts: readonly Verdict[]): { verdict: Verdict; exit_code: number } {
  const verdict = WORST_FIRST.find((candidate) => verdicts.includes(candidate)) ?? 'UNSCORED';
  return { verdict, exit_code: EXIT_CODES[verdict] };
}
