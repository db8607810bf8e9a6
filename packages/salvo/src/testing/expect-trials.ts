import { namedCases } from '../evaluators/assertion-ids.ts';
import type { EvaluationContext } from '../evaluators/evaluator.ts';
import { summarizeResults } from '../run/summarize-results.ts';
import { withFurtherResults } from '../trial/evaluate-trial.ts';
import { type CheckedTrial, checkTrials, scenarioOf, type TrialCheck } from './check-trials.ts';
import { decide } from './decide.ts';
import type { TestedRun } from './evaluate.ts';
import { expectation, failureText, reasonLines } from './failure-text.ts';
import { type MatcherOptions, shareOption } from './test-options.ts';
import { UnscoredError } from './unscored-error.ts';

/** What a matcher found out. If it could not, an `UnscoredError` is thrown. */
export interface Expectation {
  holds: boolean;
  /** Why it does not hold; empty if it does. */
  message: string;
  /** For the difference that a runner shows. */
  expected?: unknown;
  actual?: unknown;
}

export const HOLDS: Expectation = { holds: true, message: '' };

export interface TrialExpectation {
  /** What a trial has to do, such as `call "refund"`. */
  what: string;
  check: TrialCheck;
  services?: Pick<EvaluationContext, 'models' | 'voteCache' | 'budget' | 'signal'> | undefined;
  /** For the difference that a runner shows: what is demanded, and what a trial did instead. */
  difference?: { expected: unknown; actual: (trial: CheckedTrial['trial']) => unknown } | undefined;
}

/** Whether enough trials do what is expected; with `isNot`, whether none does. */
export async function expectTrials(
  tested: TestedRun,
  expected: TrialExpectation,
  { isNot, options }: { isNot: boolean; options: MatcherOptions },
): Promise<Expectation> {
  const needed = neededShare(tested, { isNot, options });
  const checked = await checkTrials(tested, expected.check, expected.services);
  await storeCheck(tested, isNot ? checked.map(inverted) : checked);
  return decideTrials(tested, { ...expected, checked, needed, allowUnscored: options.allowUnscored });
}

/** With `.not`, a trial that does it has failed. */
function inverted(checked: CheckedTrial): CheckedTrial {
  const { result } = checked;
  if (!result || result.status === 'unscored') return checked;
  const { score, passed, assertion_id } = result;
  return { ...checked, result: { ...result, assertion_id: `not ${assertion_id}`, score: 1 - score, passed: !passed } };
}

/** The share of the trials that must hold; null for `.not`. */
export function neededShare(
  { run }: TestedRun,
  { isNot, options }: { isNot: boolean; options: MatcherOptions },
): number | null {
  return isNot ? null : (shareOption('minPassRate', options.minPassRate) ?? run.summary.min_pass_rate);
}

/** The outcome of trials that were checked. */
export function decideTrials(
  tested: TestedRun,
  options: Pick<TrialExpectation, 'what' | 'difference'> & {
    checked: readonly CheckedTrial[];
    needed: number | null;
    allowUnscored?: boolean | undefined;
  },
): Expectation {
  const { checked, needed, what, difference } = options;
  const { run } = tested;
  const planned = Math.max(run.summary.trials_planned, checked.length);
  const those = (outcome: CheckedTrial['outcome']) => checked.filter((each) => each.outcome === outcome);
  const held = those('held').length;
  const missing = planned - checked.length;
  const shares = { planned, held, crashed: those('crashed').length, unknown: those('unknown').length + missing };
  const allowUnscored = options.allowUnscored ?? tested.options.allowUnscored ?? false;
  const outcome = decide(shares, { needed, allowUnscored });
  if (outcome === 'held') return HOLDS;
  if (outcome === 'unscored') {
    throw new UnscoredError(tested.redactor.text(whyUnknown(tested, those('unknown'), missing)));
  }
  const failed = checked.filter(
    (each) => each.outcome === 'crashed' || each.outcome === (needed === null ? 'held' : 'not'),
  );
  const [first] = failed;
  return {
    holds: false,
    message: failureText(tested, expectation({ what, needed, held, planned }), failed),
    ...(difference && first && needed !== null
      ? {
          expected: tested.redactor.value(difference.expected),
          actual: tested.redactor.value(difference.actual(first.trial)),
        }
      : {}),
  };
}

/** What the outcome depends on. */
export function whyUnknown({ run }: TestedRun, unknown: readonly CheckedTrial[], missing: number): string {
  const { stop_error, stopped } = run.summary;
  const reasons = reasonLines(unknown);
  if (missing > 0) {
    const why = stop_error?.message ?? (stopped === 'budget' ? 'the budget is used up' : 'the run was interrupted');
    reasons.push(`${missing} ${missing === 1 ? 'trial was' : 'trials were'} not run: ${why}`);
  }
  return reasons.length === 0 ? 'there are no trials' : reasons.join('\n');
}

/** Adds what a matcher checked to the stored run, as an assertion of its scenario. */
async function storeCheck(tested: TestedRun, checked: readonly CheckedTrial[]): Promise<void> {
  const cases = namedCases(scenarioOf(tested));
  tested.results = tested.results.map((result, index) => {
    const further = checked[index]?.result;
    if (!further) return result;
    const { threshold } = cases.scenarioOf(result.case_index);
    return withFurtherResults(result, { further: [further], threshold });
  });
  tested.storing = tested.storing.then(() => storeResults(tested));
  await tested.storing;
}

async function storeResults({ openStore, record: run, run: { summary: ended }, results }: TestedRun): Promise<void> {
  if (!openStore) return;
  const { run_id } = run;
  const store = await openStore();
  try {
    await using _lease = await store.claim({ kind: 'run', id: run_id });
    const trials = await Array.fromAsync(store.trials(run_id));
    for (const trial of trials) {
      const result = results.find(
        ({ case_index, trial_number }) => case_index === trial.case_index && trial_number === trial.trial_number,
      );
      if (result) await store.saveTrial({ ...trial, result });
    }
    const earlierCosts = trials.flatMap(({ earlier_cost }) => earlier_cost ?? []);
    const { summary, verdict, exit_code } = summarizeResults({ run, ended, results, earlierCosts });
    await store.updateRun(run_id, { verdict, exit_code, summaries: [summary] });
  } finally {
    await store.close();
  }
}
