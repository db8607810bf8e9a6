import { meetsThreshold } from '../../stats/mean.ts';
import type { DecidedBy, GateResult } from '../record/gate-result.ts';
import type { ScenarioSummary, Verdict } from '../record/run-document.ts';
import type { Gates } from './gates.ts';
import type { ReachableMeans } from './reachable-means.ts';

/** The results of a scenario's trials so far. */
export interface TrialCounts {
  /** Trials with a result, scored or not. */
  total: number;
  /** Passed, failed, hard-failed and crashed together. */
  scored: number;
  passed: number;
  failed: number;
  hardFailed: number;
  crashed: number;
  unscored: number;
  /** Sum of the scores of the scored trials. */
  scoreSum: number;
  /** Over all cases, if there are several. */
  reachable?: ReachableMeans | undefined;
}

/** What a run tolerates. */
export interface VerdictPolicy {
  allowUnscored: boolean;
  /** Traces were only recorded, and nothing was checked. */
  recordOnly: boolean;
}

export interface ScenarioOutcome {
  counts: Omit<TrialCounts, 'scoreSum' | 'reachable'>;
  planned: number;
  /** Trials whose agent finished, whether or not anything was checked. */
  recorded: number;
  /** With several cases, the mean over them. Null if nothing was scored. */
  passRate: number | null;
  scoreAvg: number | null;
  gates: Pick<Gates, 'min_pass_rate' | 'min_score'>;
  /** All gates, where more than these two decide. */
  gateResults?: readonly GateResult[];
  stopped: ScenarioSummary['stopped'];
}

/** The verdict on a scenario's trials. A trial that could not be scored counts neither as failed nor as passed. */
export function scenarioVerdict(
  outcome: ScenarioOutcome,
  policy: VerdictPolicy,
): { verdict: Verdict; decided_by: DecidedBy } {
  const { counts } = outcome;
  if (policy.recordOnly) {
    return outcome.recorded > 0
      ? { verdict: 'RECORDED', decided_by: 'record_only' }
      : { verdict: 'UNSCORED', decided_by: 'nothing_recorded' };
  }
  if (outcome.stopped === 'equal_crashes') {
    return { verdict: counts.passed > 0 ? 'PARTIAL' : 'FAIL', decided_by: 'equal_crashes' };
  }
  const notScored = whyNotScored(outcome, policy);
  if (notScored) return { verdict: 'UNSCORED', decided_by: notScored };
  if (counts.hardFailed > 0) return { verdict: 'HARD_FAIL', decided_by: 'required_assertion' };
  const missed = missedGate(outcome);
  if (missed !== null) return { verdict: counts.passed > 0 ? 'PARTIAL' : 'FAIL', decided_by: missed };
  // After the missed ones: whatever its value is, it could not turn a failure into a pass.
  const isUnknown = outcome.gateResults?.some(({ met }) => met === null) ?? false;
  if (isUnknown) return { verdict: 'UNSCORED', decided_by: 'unknown_gate' };
  return { verdict: 'PASS', decided_by: 'min_pass_rate' };
}

function whyNotScored(outcome: ScenarioOutcome, { allowUnscored }: VerdictPolicy): DecidedBy | null {
  const { counts } = outcome;
  if (counts.scored === 0) return counts.total === 0 ? 'missing_trials' : 'nothing_scored';
  if (allowUnscored) return null;
  if (counts.unscored > 0) return 'unscored_trials';
  return hasMissingTrials(outcome) ? 'missing_trials' : null;
}

/**
 * An early stop skips only trials that could not change the verdict, and a run that goes on until it is decided has no
 * fixed number of them. Any other stop may have skipped decisive ones.
 */
function hasMissingTrials({ counts, planned, stopped }: ScenarioOutcome): boolean {
  return counts.total < planned && !isComplete(stopped);
}

/** Whether a scenario that was stopped lacks nothing. */
export function isComplete(stopped: ScenarioSummary['stopped']): boolean {
  return stopped === 'early_stop' || stopped === 'decided' || stopped === 'undecided';
}

/** The first gate that the scored trials miss; null if there is none. */
function missedGate({ passRate, scoreAvg, gates, gateResults = [] }: ScenarioOutcome): GateResult['gate'] | null {
  if (!meetsThreshold(passRate ?? 0, gates.min_pass_rate)) return 'min_pass_rate';
  const isScoreEnough = gates.min_score === null || (scoreAvg !== null && meetsThreshold(scoreAvg, gates.min_score));
  if (!isScoreEnough) return 'min_score';
  return gateResults.find(({ met }) => met === false)?.gate ?? null;
}

const EXIT_CODES = {
  PASS: 0,
  RECORDED: 0,
  PARTIAL: 1,
  FAIL: 1,
  HARD_FAIL: 2,
  UNSCORED: 3,
  SKIPPED: 3,
  QUARANTINED: 3,
} as const;

const WORST_FIRST = ['UNSCORED', 'HARD_FAIL', 'FAIL', 'PARTIAL', 'PASS', 'RECORDED'] as const;

/**
 * The verdict of a run is that of its worst scenario. Those that were skipped or are in quarantine do not count, and a
 * run without others is unscored.
 */
export function runVerdict(verdicts: readonly Verdict[]): { verdict: Verdict; exit_code: number } {
  const verdict = WORST_FIRST.find((candidate) => verdicts.includes(candidate)) ?? 'UNSCORED';
  return { verdict, exit_code: EXIT_CODES[verdict] };
}
