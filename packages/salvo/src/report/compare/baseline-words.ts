import type { AgainstFailure, AgainstOutcome } from '../../run/compare/judge-against.ts';
import type { BaselineSummary } from '../../run/record/baseline-summary.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import { formatCount, formatPercent, formatPlural, formatPointsSize } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';

/** What the baseline says about a scenario whose verdict it decided: the end of a sentence, without a full stop. */
export function baselineReason({ decided_by, verdict, baseline }: ScenarioSummary): string {
  switch (decided_by) {
    case 'baseline_together':
      return 'fewer than in the baseline, and all scenarios together are worse than it by more than luck';
    case 'baseline_observed':
      if (verdict === 'PASS' || !baseline?.observed) return undecidedWords(baseline);
      return `${beforeWords(baseline)}${undecidedWords(baseline)}; ${observedWords(baseline.observed, baseline.margin)}`;
    case 'baseline_undecided':
      return `${undecidedWords(baseline)}; this is not allowed (undecided: fail)`;
    case 'new_cases': {
      const { new_cases = 0, new_cases_failed = 0 } = baseline ?? {};
      return `${formatCount(new_cases_failed)} of ${formatPlural(new_cases, 'case')} that the baseline does not have failed: every trial of them must pass`;
    }
    case 'nothing_passed':
      return 'no trial of the run passed, so it does not pass, whatever the baseline says';
    default:
      if (verdict === 'UNSCORED') return 'this cannot be compared with the baseline';
      if (verdict !== 'PASS')
        return `${baseline ? beforeWords(baseline) : ''}worse than the baseline by more than luck`;
      return baseline ? notWorseWords(baseline) : 'compared with the baseline, no drop was shown';
  }
}

/** That a scenario is judged by its own rule, although there is a baseline; empty if the baseline judges it. */
export function ownRuleWords({ baseline }: Pick<ScenarioSummary, 'baseline'>): string {
  if (baseline?.answer === 'new') return 'the baseline does not have it';
  return baseline?.answer === 'not_comparable' ? 'not comparable with the baseline' : '';
}

/** `not worse than the baseline by more than 10 points` */
function notWorseWords({ margin }: Pick<BaselineSummary, 'margin'>): string {
  return `not worse than the baseline by more than ${formatPointsSize(margin)}`;
}

/** Neither "worse" nor "not worse" is shown: how large a drop is possible, and how many trials would tell. */
function undecidedWords(baseline: BaselineSummary | undefined): string {
  if (!baseline) return 'undecided whether it is worse than the baseline';
  const { interval, trials_to_decide: trials } = baseline;
  const possible = interval && interval[0] < 0 ? `, a drop of up to ${formatPointsSize(-interval[0])} is possible` : '';
  const needed = trials === null ? '' : `; about ${formatPlural(trials, 'trial')} in each run would decide`;
  return `undecided whether it is worse than the baseline${possible}${needed}`;
}

/** Why scenarios that no test decides are red, and how often an unchanged agent would be. */
export function observedWords(
  { scenarios, before, now, why, false_reds, trials_each }: NonNullable<BaselineSummary['observed']>,
  margin: number,
): string {
  const fell = `${scenarios === 1 ? 'the pass rate' : `the mean of ${formatCount(scenarios)} undecided scenarios`} fell from ${formatPercent(before)} to ${formatPercent(now)}, more than ${formatPointsSize(margin)}`;
  const cause = why === 'mean_fell' ? fell : 'it passed before, and now passed in no trial';
  const enough = trials_each === null ? '' : `; -n ${formatCount(trials_each)} brings this to 5%`;
  return `${cause}. An unchanged agent would be red like this in ${share(false_reds)} of such runs${enough}`;
}

function beforeWords({ before }: BaselineSummary): string {
  return before === null ? '' : `${formatPercent(before)} before: `;
}

function share(value: number): string {
  return value < 0.01 ? 'less than 1%' : formatPercent(value);
}

const WHY: Record<AgainstFailure, (count: string, source: string) => string> = {
  worse: (count, source) => `worse than ${source} in ${count}`,
  together: (_count, source) => `worse than ${source} over all scenarios together`,
  observed: (count, source) => `fewer passed than in ${source} in ${count}`,
  new_cases: (count, source) => `cases that ${source} does not have failed in ${count}`,
  nothing_passed: () => 'no trial passed',
  undecided: (count, source) => `undecided whether it is worse than ${source} in ${count} (undecided: fail)`,
};

/** What the baseline says about a run, in words without a full stop. */
export function againstMeaning(against: AgainstOutcome): string {
  const source = safeLine(against.source);
  const reasons = Map.groupBy(against.scenarios, ({ why }) => why);
  const parts = [...reasons].flatMap(([why, { length }]) =>
    why === null ? [] : [WHY[why](formatPlural(length, 'scenario'), source)],
  );
  const observed = against.observed ? `; no test decides, but ${observedWords(against.observed, against.margin)}` : '';
  return parts.length > 0 ? `${parts.join(', ')}${observed}` : sameWords(against);
}

/** Of a run that passes: `same as before: 46 of 46`. It never says "not worse" of what is undecided. */
function sameWords({ source, margin, scenarios, comparison }: AgainstOutcome): string {
  const compared = comparison.scenarios.filter(({ conclusion }) => conclusion !== 'not_comparable');
  const own = scenarios.filter(({ answer }) => answer === 'new' || answer === 'not_comparable').length;
  const rest = own === 0 ? '' : `; ${formatPlural(own, 'scenario')} judged by ${own === 1 ? 'its' : 'their'} own rule`;
  if (compared.length === 0)
    return `nothing can be compared with ${safeLine(source)}; every scenario passed by its own rule`;
  const sum = (side: 'base' | 'next', of: 'trials_passed' | 'trials_scored') =>
    compared.reduce((total, each) => total + each[side][of], 0);
  const passed = (side: 'base' | 'next') =>
    `${formatCount(sum(side, 'trials_passed'))} of ${formatCount(sum(side, 'trials_scored'))}`;
  if (passed('base') === passed('next')) return `same as before: ${passed('next')}${rest}`;
  const counts = `${passed('next')} passed, ${passed('base')} before`;
  const undecided = scenarios.filter(({ answer }) => answer === 'undecided').length;
  const answer =
    undecided === 0
      ? `not worse than ${safeLine(source)} by more than ${formatPointsSize(margin)}`
      : `no drop is shown, undecided in ${formatPlural(undecided, 'scenario')}`;
  return `${counts}: ${answer}${rest}`;
}
