import { isRecord } from '../../text/json/is-record.ts';

/**
 * Documents of earlier versions, with the fields that came later. A field gets the value that was true of the version
 * that did not have it. What is there stays as it is, so documents of this version do not change.
 * `test/store/versions/` has a store of each version: whoever adds a required field adds its value here.
 */
export type Completion = (document: unknown) => unknown;

export const completeOptions: Completion = (options) =>
  isRecord(options) ? { cases: null, min_pass_rate: null, min_score: null, ...options } : options;

export const completeSummary: Completion = (summary) => {
  if (!isRecord(summary)) return summary;
  const { judges = [] } = summary;
  return {
    ...(summary.decided_by === undefined ? judgedByMeanScore(summary) : {}),
    ...{ skipped: null, quarantine: null, trials_quarantined: 0, gates: [] },
    ...{ trials_crashed: 0, trials_not_judged: 0, stop_error: null, identical_trials: false },
    ...{ never_passed: [], crashes: [], cases: [] },
    ...summary,
    judges: Array.isArray(judges) ? judges.map(completeJudge) : judges,
  };
};

/** Before there was a `min_pass_rate`, the mean score had to reach the threshold of a trial. */
function judgedByMeanScore({ verdict, threshold, trials_scored }: Record<string, unknown>): Record<string, unknown> {
  const rules: Record<string, string> = {
    PASS: 'min_score',
    PARTIAL: 'min_score',
    FAIL: 'min_score',
    HARD_FAIL: 'required_assertion',
    RECORDED: 'record_only',
    UNSCORED: trials_scored === 0 ? 'nothing_scored' : 'unscored_trials',
  };
  return { decided_by: rules[String(verdict)], min_pass_rate: 0, min_score: threshold ?? null };
}

/** The default threshold of judges has always been this one. */
const JUDGE_THRESHOLD = 0.8;

function completeJudge(judge: unknown): unknown {
  if (!isRecord(judge)) return judge;
  const unknown = { calibration_verdict: null, calibration_note: null };
  return { ...unknown, threshold: JUDGE_THRESHOLD, votes_repaired: 0, retries: 0, ...judge };
}
