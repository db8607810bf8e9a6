import { meetsThreshold } from '../stats/meets-threshold.ts';
import type { ScenarioSummary, Verdict } from './run-document.ts';

/** The results of a scenario's trials so far. */
export interface TrialCounts {
  /** Trials that ran, scored or not. */
  total: number;
  /** Passed, failed and hard-failed together. */
  scored: number;
  passed: number;
  failed: number;
  hardFailed: number;
  unscored: number;
  /** Sum of the scores of the scored trials. */
  scoreSum: number;
}

/** What a run tolerates and what it demands. */
export interface VerdictPolicy {
  allowUnscored: boolean;
  /** The share of scored trials that must pass, besides the mean score; null for no minimum. */
  minPassRate: number | null;
  /** Traces were only recorded, and nothing was checked. */
  recordOnly: boolean;
}

export interface ScenarioOutcome {
  counts: Omit<TrialCounts, 'scoreSum'>;
  planned: number;
  /** Trials whose agent finished, whether or not anything was checked. */
  recorded: number;
  scoreAvg: number | null;
  threshold: number;
  stopped: ScenarioSummary['stopped'];
}

/** The verdict on a scenario's trials. A trial that could not be scored counts neither as failed nor as passed. */
export function scenarioVerdict(outcome: ScenarioOutcome, policy: VerdictPolicy): Verdict {
  const { counts, scoreAvg, threshold } = outcome;
  if (policy.recordOnly) return outcome.recorded > 0 ? 'RECORDED' : 'UNSCORED';
  if (counts.scored === 0) return 'UNSCORED';
  if (!policy.allowUnscored && (counts.unscored > 0 || hasMissingTrials(outcome))) return 'UNSCORED';
  if (counts.hardFailed > 0) return 'HARD_FAIL';
  const passRate = counts.passed / counts.scored;
  const isScoreEnough = scoreAvg !== null && meetsThreshold(scoreAvg, threshold);
  const isRateEnough = policy.minPassRate === null || meetsThreshold(passRate, policy.minPassRate);
  if (isScoreEnough && isRateEnough) return 'PASS';
  return counts.passed > 0 ? 'PARTIAL' : 'FAIL';
}

/** An early stop skips only trials that could not change the verdict. Any other stop may have skipped decisive ones. */
function hasMissingTrials({ counts, planned, stopped }: ScenarioOutcome): boolean {
  return counts.total < planned && stopped !== 'early_stop';
}

const EXIT_CODES = { PASS: 0, RECORDED: 0, PARTIAL: 1, FAIL: 1, HARD_FAIL: 2, UNSCORED: 3 } as const;

const WORST_FIRST = ['UNSCORED', 'HARD_FAIL', 'FAIL', 'PARTIAL', 'PASS', 'RECORDED'] as const;

/** The verdict of a run is that of its worst scenario. A run without scenarios is unscored. */
export function runVerdict(verdicts: readonly Verdict[]): { verdict: Verdict; exit_code: number } {
  const verdict = WORST_FIRST.find((candidate) => verdicts.includes(candidate)) ?? 'UNSCORED';
  return { verdict, exit_code: EXIT_CODES[verdict] };
}
