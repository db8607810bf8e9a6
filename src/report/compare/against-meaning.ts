import type { AgainstFailure, AgainstOutcome } from '../../run/compare/judge-against.ts';
import { formatCount, formatPlural, formatPointsSize } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { observedWords } from './baseline-words.ts';

const WHY: Record<AgainstFailure, (count: string, source: string) => string> = {
  worse: (count, source) => `worse than ${source} in ${count}`,
  together: (_count, source) => `worse than ${source} over all scenarios together`,
  observed: (count, source) => `fewer passed than in ${source} in ${count}`,
  new_cases: (count, source) => `cases that ${source} does not have failed in ${count}`,
  nothing_passed: () => 'no trial passed',
  undecided: (count, source) => `undecided whether it is worse than ${source} in ${count} (--undecided fail)`,
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
