import type { ComparedScenario, RunComparison } from '../../run/compare/compare-runs.ts';
import { formatCount, formatPlural, formatPointsSize } from '../../stats/format.ts';
import { isChange, isOnlyAlone, listed, scenarioRemarks, scenarioSentence, scoreSentence } from './compare-words.ts';

/** So many scenarios without a result are explained one by one. */
const MOST_OPEN = 5;

/**
 * What a report says below the table of a comparison. A scenario that changed, or that has news of its own, is explained.
 * Many that have nothing to say are joined.
 */
export function comparisonNotes({ scenarios }: Pick<RunComparison, 'scenarios'>) {
  const [first] = scenarios;
  const common =
    scenarios.length < 2 ? [] : (first?.differences ?? []).filter((text) => scenarios.every((each) => has(each, text)));
  const own = scenarios.map((scenario) => ({
    ...scenario,
    differences: scenario.differences.filter((text) => !common.includes(text)),
  }));
  const quiet = own.filter((scenario) => !hasNews(scenario));
  const rest = quiet.length > MOST_OPEN ? quiet : [];
  return {
    /** What differs in all scenarios, so that it is said once. */
    common,
    explained: scenarios.flatMap((scenario, index) => {
      const reduced = own[index];
      return reduced === undefined || rest.includes(reduced)
        ? []
        : [{ scenario, sentence: scenarioSentence(scenario), remarks: scenarioRemarks(reduced) }];
    }),
    /** Sentences about scenarios in which nothing was found, if they are too many to explain each. */
    rest: [...restSentences(rest), ...(rest.some(isOnlyAlone) ? [ALONE] : [])],
  };
}

const ALONE =
  'An interval without 0 beside a p of 0.05 or more: intervals are of one scenario alone, and p is corrected for all tests.';

function has({ differences }: ComparedScenario, text: string): boolean {
  return differences.includes(text);
}

function hasNews(scenario: ComparedScenario): boolean {
  const { conclusion, differences, cases, base, next } = scenario;
  return (
    isChange(conclusion) ||
    conclusion === 'not_comparable' ||
    differences.length + cases.only_base.length + cases.only_next.length > 0 ||
    base.trials_unscored + next.trials_unscored > 0 ||
    scoreSentence(scenario) !== ''
  );
}

function restSentences(rest: readonly ComparedScenario[]): string[] {
  const few = rest.filter(({ conclusion }) => conclusion === 'too_few_trials');
  const enough = rest.filter(({ conclusion }) => conclusion === 'no_evidence');
  const flipped = (side: 'to_failed' | 'to_passed') =>
    rest.flatMap(({ name, flipped: cases }) => cases[side].map((each) => `${name}/${each}`));
  return [
    ...(few.length === 0 ? [] : [`Too few trials to tell in ${formatPlural(few.length, 'scenario')}.${needed(few)}`]),
    ...(enough.length === 0
      ? []
      : [`No evidence of a change in ${formatPlural(enough.length, 'scenario')}.${detectable(enough)}`]),
    ...listed('Failed now', flipped('to_failed')),
    ...listed('Passed now', flipped('to_passed')),
  ];
}

function needed(few: readonly ComparedScenario[]): string {
  const trials = range(few.map(({ trials_needed, cases_needed }) => (cases_needed === null ? trials_needed : null)));
  const cases = range(few.map(({ cases_needed }) => cases_needed));
  const sizes = [trials && `${trials} trials in each run`, cases && `${cases} cases`].filter((size) => size !== null);
  return sizes.length === 0 ? '' : ` About ${sizes.join(' or ')} would show a change of 20 points in one of them.`;
}

function detectable(enough: readonly ComparedScenario[]): string {
  const size = range(
    enough.map(({ smallest_detectable }) => smallest_detectable),
    (value) => formatPointsSize(value).replace(/ points?$/, ''),
  );
  return size === null ? '' : ` A change of ${size} points in one of them would be found in four of five comparisons.`;
}

/** `106 to 157`; null without values. */
function range(values: readonly (number | null)[], text: (value: number) => string = formatCount): string | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const [low, high] = [text(Math.min(...known)), text(Math.max(...known))];
  return low === high ? low : `${low} to ${high}`;
}
