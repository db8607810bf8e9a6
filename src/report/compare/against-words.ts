import type { ComparedScenario } from '../../run/compare/compare-runs.ts';
import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import { entryKey } from '../../run/record/candidate-labels.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { formatPlural } from '../terminal/format.ts';
import {
  scenarioEvidence,
  scenarioLabels,
  scenarioSentence,
  togetherLabel,
  togetherSentence,
} from './compare-words.ts';

/** What the comparison with a baseline means for a scenario, or for all together. */
export interface AgainstCase {
  /** What to call it: it may have run with several models. */
  scenario: string;
  /** Null for all scenarios together. */
  place: { name: string; file: string } | null;
  /** What the run's exit code comes from; null if the comparison demands nothing of it. */
  outcome: 'failure' | 'error' | null;
  sentence: string;
}

/** A case for each scenario that was compared, and one for all together. None without a baseline. */
export function againstCases(against: AgainstOutcome | null | undefined): AgainstCase[] {
  if (!against) return [];
  const { scenarios, together } = against.comparison;
  const labelOf = scenarioLabels(scenarios);
  const ofScenarios = scenarios.map((scenario): AgainstCase => {
    const { name, file, conclusion } = scenario;
    const entry = entryKey({ ...scenario, adapter: scenario.next_adapter, model: scenario.next_model });
    const failure = against.failures.find((each) => entryKey(each) === entry);
    return {
      scenario: labelOf(scenario),
      place: { name, file },
      outcome: failure ? 'failure' : conclusion === 'not_comparable' ? 'error' : null,
      sentence: sentenceOf(scenario, failure?.why),
    };
  });
  if (!together) return ofScenarios;
  const isFailure = against.failures.some(({ why }) => why === 'together');
  return [
    ...ofScenarios,
    {
      scenario: togetherLabel(together),
      place: null,
      outcome: isFailure ? 'failure' : null,
      sentence: togetherSentence(together),
    },
  ];
}

function sentenceOf(scenario: ComparedScenario, why: AgainstOutcome['failures'][number]['why'] | undefined): string {
  if (why === 'together') {
    return `All scenarios together are worse, and this is one that fell: ${scenarioEvidence(scenario)}`;
  }
  const undecided = why === 'undecided' ? ' The comparison cannot decide, so every trial had to pass.' : '';
  return `${scenarioSentence(scenario)}${undecided}`;
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
