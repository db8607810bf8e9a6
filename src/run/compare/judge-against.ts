import type { ScenarioSummary } from '../record/run-document.ts';
import type { RunRecord } from '../record/run-record.ts';
import type { Baseline } from './baseline.ts';
import { type ComparedScenario, compareResults, type RunComparison } from './compare-runs.ts';
import { ALPHA } from './compare-scenario.ts';

/** What a run's comparison with a baseline means for its verdict. */
export interface AgainstOutcome {
  /** How the user called the baseline. */
  source: string;
  comparison: RunComparison;
  /**
   * Scenarios that fail because of it: each of them is worse, or all together are and this is one that fell, or its trials
   * cannot decide and one of them failed.
   */
  failures: { name: string; file: string; adapter: string; model: string; why: 'worse' | 'together' | 'undecided' }[];
  /** Those that turned out not to be comparable. */
  not_comparable: string[];
  /** 0 passed, 1 failed, 3 could not be compared. */
  exit_code: 0 | 1 | 3;
}

/** Whether any outcome of these trials could have been called worse, among so many tests. */
export function couldDecide({ lowest_p }: Pick<ComparedScenario, 'lowest_p'>, { tests }: RunComparison): boolean {
  return lowest_p !== null && lowest_p * tests < ALPHA;
}

/**
 * Judges a finished run by a baseline. A scenario fails if it is worse by more than luck, and by more than what is
 * tolerated. If that is true of none, but of all together, those fail whose pass rate fell. Where the baseline replaces
 * the rule that all trials must pass, but the trials turn out to be unable to decide (they are copies of one answer),
 * that rule holds again.
 */
export function judgeAgainst(
  base: Baseline,
  next: Baseline,
  { source, max_drop, instead_of_gates }: NonNullable<RunRecord['options']['against']>,
  run: Pick<RunRecord, 'scenarios'>,
): AgainstOutcome {
  const comparison = compareResults(base, next, { sameTask: true });
  const replaced = new Set(instead_of_gates.map((index) => placeOf(run.scenarios[index])));
  const tolerated = max_drop ?? 0;
  const isWorse = (found: Pick<ComparedScenario, 'conclusion' | 'difference'> | null) =>
    found?.conclusion === 'worse' && -(found.difference?.value ?? 0) > tolerated;
  const isWorseTogether = isWorse(comparison.together) && !comparison.scenarios.some(isWorse);
  const failures = comparison.scenarios.flatMap((scenario): AgainstOutcome['failures'] => {
    const { name, file, next_adapter: adapter, next_model: model, conclusion, difference, next: now } = scenario;
    const entry = { name, file, adapter, model };
    if (isWorse(scenario)) return [{ ...entry, why: 'worse' }];
    if (isWorseTogether && (difference?.value ?? 0) < 0) return [{ ...entry, why: 'together' }];
    const place = placeOf(entry);
    const isUndecided = replaced.has(place) && !couldDecide(scenario, comparison) && (now.pass_rate ?? 1) < 1;
    return isUndecided && conclusion !== 'not_comparable' ? [{ ...entry, why: 'undecided' }] : [];
  });
  const notComparable = comparison.scenarios.filter(({ conclusion }) => conclusion === 'not_comparable');
  return {
    source,
    comparison,
    failures,
    not_comparable: notComparable.map(({ name }) => name),
    exit_code: failures.length > 0 ? 1 : notComparable.length > 0 ? 3 : 0,
  };
}

/**
 * The summaries with the verdicts that the comparison gives. A scenario that did not pass by its own rules keeps its
 * verdict.
 */
export function judgedSummaries(
  { failures, comparison }: AgainstOutcome,
  summaries: readonly ScenarioSummary[],
  { options }: Pick<RunRecord, 'options'>,
): ScenarioSummary[] {
  const failed = new Map(failures.map((each) => [placeOf(each), each.why]));
  const incomparable = new Set(
    comparison.scenarios
      .filter(({ conclusion }) => conclusion === 'not_comparable')
      .map(({ next_adapter: adapter, next_model: model, ...each }) => placeOf({ ...each, adapter, model })),
  );
  const replaced = new Set(options.against?.instead_of_gates);
  return summaries.map((summary, index) => {
    if (summary.verdict !== 'PASS') return summary;
    const place = placeOf(summary);
    const why = failed.get(place);
    if (why === 'undecided') {
      const verdict = summary.trials_passed > 0 ? 'PARTIAL' : 'FAIL';
      return { ...summary, verdict, min_pass_rate: 1, decided_by: 'min_pass_rate' };
    }
    if (why === 'worse') return { ...summary, verdict: 'FAIL', decided_by: 'baseline' };
    if (why === 'together') return { ...summary, verdict: 'FAIL', decided_by: 'baseline_together' };
    if (incomparable.has(place)) return { ...summary, verdict: 'UNSCORED', decided_by: 'baseline' };
    return replaced.has(index) ? { ...summary, decided_by: 'baseline' } : summary;
  });
}

function placeOf(scenario: { name: string; file: string; adapter: string; model: string } | undefined): string {
  return scenario ? [scenario.file, scenario.name, scenario.adapter, scenario.model].join('\0') : '';
}
