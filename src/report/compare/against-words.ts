import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import { entryKey } from '../../run/record/candidate-labels.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { formatPlural } from '../terminal/format.ts';
import { scenarioLabels, scenarioSentence, togetherSentence } from './compare-words.ts';

/** What the comparison with a baseline means for a scenario. */
export interface AgainstCase {
  /** What to call it: its name, and its model if there are several. */
  scenario: string;
  name: string;
  file: string;
  /** Null if it passes. */
  outcome: 'failure' | 'error' | null;
  sentence: string;
}

export function againstCases(against: AgainstOutcome | null | undefined): AgainstCase[] {
  if (!against) return [];
  const { scenarios } = against.comparison;
  const labelOf = scenarioLabels(scenarios);
  return scenarios.map((scenario) => {
    const { name, file, conclusion } = scenario;
    const entry = entryKey({ ...scenario, adapter: scenario.next_adapter, model: scenario.next_model });
    const failure = against.failures.find((each) => entryKey(each) === entry);
    const { together } = against.comparison;
    const why =
      failure?.why === 'undecided'
        ? ' The comparison cannot decide, so every trial had to pass.'
        : failure?.why === 'together' && together
          ? ` All scenarios together: ${togetherSentence(together)}`
          : '';
    return {
      scenario: labelOf(scenario),
      name,
      file,
      outcome: failure ? 'failure' : conclusion === 'not_comparable' ? 'error' : null,
      sentence: `${scenarioSentence(scenario)}${why}`,
    };
  });
}

/** What the baseline says about a run, in words without a full stop. */
export function againstMeaning({ failures, not_comparable, exit_code, ...rest }: AgainstOutcome): string {
  const source = safeLine(rest.source);
  const count = (why: AgainstOutcome['failures'][number]['why']) => failures.filter((each) => each.why === why).length;
  const [worse, undecided] = [count('worse'), count('undecided')];
  if (exit_code === 1) {
    const parts = [
      worse ? `worse than ${source} in ${formatPlural(worse, 'scenario')}` : '',
      count('together') > 0
        ? `worse than ${source} over all ${formatPlural(rest.comparison.together?.scenarios ?? 0, 'scenario')} together`
        : '',
      undecided ? `failed trials in ${formatPlural(undecided, 'scenario')} that the comparison cannot decide` : '',
    ];
    return parts.filter((part) => part !== '').join(', ');
  }
  if (exit_code === 3) return `${safeLine(not_comparable.join(', '))} cannot be compared with ${source}`;
  return `not worse than ${source}`;
}
