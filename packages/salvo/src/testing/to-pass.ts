import type { EvalResult } from '../evaluators/eval-result.ts';
import { tellingFailures } from '../evaluators/eval-result.ts';
import type { ScenarioSummary } from '../run/record/run-document.ts';
import { summarizeResults } from '../run/summarize-results.ts';
import { formatPlural, formatScore } from '../stats/format.ts';
import type { CheckedTrial } from './check-trials.ts';
import type { TestedRun } from './evaluate.ts';
import { decideTrials, type Expectation, HOLDS, neededShare, whyUnknown } from './expect-trials.ts';
import { expectation, failureText } from './failure-text.ts';
import type { MatcherOptions } from './test-options.ts';
import { UnscoredError } from './unscored-error.ts';

const OUTCOMES = { passed: 'held', failed: 'not', hard_fail: 'not', crashed: 'crashed', unscored: 'unknown' } as const;

const MOST_REASONS = 3;

/** Whether the scenario passes, by its own assertions and minimums; with `isNot`, whether no trial passes. */
export function expectPass(
  tested: TestedRun,
  { isNot, options }: { isNot: boolean; options: MatcherOptions },
): Expectation {
  const checked = tested.run.trials.map((trial): CheckedTrial => {
    return { trial, outcome: OUTCOMES[trial.status], reason: reasonOf(trial), result: null };
  });
  const needed = neededShare(tested, { isNot, options });
  if (needed === null) return decideTrials(tested, { what: 'pass', needed, checked });
  const { summary: ended, trials: results } = tested.run;
  const judged =
    needed === ended.min_pass_rate
      ? ended
      : summarizeResults({ run: tested.record, ended, results, minPassRate: needed }).summary;
  if (judged.verdict === 'PASS') return HOLDS;
  if (judged.verdict === 'UNSCORED') {
    const unknown = checked.filter(({ outcome }) => outcome === 'unknown');
    const missing = judged.trials_planned - judged.trials_total;
    throw new UnscoredError(tested.redactor.text(whyUnknown(tested, unknown, missing)));
  }
  const failed = checked.filter(({ outcome }) => outcome !== 'held');
  return { holds: false, message: failureText(tested, heading(judged), failed) };
}

function heading(summary: ScenarioSummary): string {
  const { decided_by, min_pass_rate: needed, trials_passed: held, trials_scored: planned } = summary;
  if (decided_by === 'min_pass_rate') return expectation({ what: 'pass', needed, held, planned });
  if (decided_by === 'min_score') {
    return `Expected a mean score of at least ${formatScore(summary.min_score)}, but it is ${formatScore(summary.score_avg)}.`;
  }
  if (decided_by === 'required_assertion') {
    return `A required assertion failed in ${summary.trials_hard_failed} of ${formatPlural(planned, 'trial')}.`;
  }
  return `Expected the scenario to pass, but its verdict is ${summary.verdict}, by ${decided_by}.`;
}

function reasonOf({ eval_results, error_message, status }: CheckedTrial['trial']): string {
  const failed = tellingFailures(eval_results, status);
  if (failed.length === 0) return error_message ?? 'its score is below the threshold';
  const words = ({ assertion_id, details }: EvalResult) => `${assertion_id}: ${details}`;
  const more = failed.length > MOST_REASONS ? [`and ${failed.length - MOST_REASONS} more`] : [];
  return [...failed.slice(0, MOST_REASONS).map(words), ...more].join('; ');
}
