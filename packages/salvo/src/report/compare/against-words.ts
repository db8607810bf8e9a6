import { type ComparedScenario, comparedEntry } from '../../run/compare/compare-runs.ts';
import type { AgainstOutcome, AgainstScenario } from '../../run/compare/judge-against.ts';
import { entryKey } from '../../run/record/candidate-labels.ts';
import { formatCount, formatPlural, formatPointsSize } from '../../stats/format.ts';
import { scenarioTitles } from '../run/words/scenario-handles.ts';
import { observedWords } from './baseline-words.ts';
import { listed, scenarioEvidence, scenarioSentence, togetherLabel, togetherSentence } from './compare-words.ts';

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

/** A case for each scenario of the run, and one for all together. None without a baseline. */
export function againstCases(against: AgainstOutcome | null | undefined): AgainstCase[] {
  if (!against) return [];
  const { together } = against.comparison;
  const labelOf = againstLabels(against);
  const compared = comparedBy(against);
  const ofScenarios = against.scenarios.map((scenario): AgainstCase => {
    const { name, file, why } = scenario;
    return {
      scenario: labelOf(scenario),
      place: { name, file },
      outcome: why === null ? null : why === 'undecided' ? 'error' : 'failure',
      sentence: sentenceOf(scenario, compared.get(entryKey(scenario)), against),
    };
  });
  const ofUntil = untilLines(against)
    .slice(0, 1)
    .map((sentence): AgainstCase => {
      return { scenario: 'until decided', place: null, outcome: null, sentence };
    });
  if (!together) return [...ofScenarios, ...ofUntil];
  const isFailure = against.scenarios.some(({ why }) => why === 'together');
  return [
    ...ofScenarios,
    ...ofUntil,
    {
      scenario: togetherLabel(together),
      place: null,
      outcome: isFailure ? 'failure' : null,
      sentence: togetherSentence(together),
    },
  ];
}

function comparedBy({ comparison }: AgainstOutcome): Map<string, ComparedScenario> {
  return new Map(comparison.scenarios.map((each) => [comparedEntry(each), each]));
}

/** By name, with the model if several have the name. */
function againstLabels({ scenarios }: AgainstOutcome): (scenario: AgainstScenario) => string {
  const titles = scenarioTitles(scenarios);
  return (scenario) => titles[scenarios.indexOf(scenario)] ?? scenario.name;
}

function sentenceOf(scenario: AgainstScenario, found: ComparedScenario | undefined, against: AgainstOutcome): string {
  const { answer, because, why, new_cases, new_cases_failed, trials_to_decide } = scenario;
  if (!found || answer === 'new' || answer === 'not_comparable') {
    return `Not compared: ${because.join('; ')}. It is judged by its own rule.`;
  }
  if (why === 'together') {
    return `All scenarios together are worse, and this is one that fell: ${scenarioEvidence(found)}`;
  }
  if (why === 'new_cases') {
    return `${formatCount(new_cases_failed.length)} of ${formatPlural(new_cases.length, 'case')} that the baseline does not have failed: ${new_cases_failed.slice(0, MOST_NAMED).join(', ')}${new_cases_failed.length > MOST_NAMED ? ', ...' : ''}.`;
  }
  if (why === 'nothing_passed') return `No trial of the run passed. ${scenarioSentence(found)}`;
  if (answer === 'worse') return scenarioSentence(found);
  if (answer === 'not_worse')
    return `Not worse by more than ${formatPointsSize(against.margin)}: ${scenarioEvidence(found)}`;
  const needed =
    trials_to_decide === null ? '' : ` About ${formatPlural(trials_to_decide, 'trial')} in each run would decide.`;
  const observed =
    why === 'observed' && against.observed
      ? ` By what was observed, ${observedWords(against.observed, against.margin)}.`
      : '';
  return `Undecided: ${figuresOnly(scenarioEvidence(found))}${needed}${observed}`;
}

const MOST_NAMED = 5;

/** The first sentence: what follows it is about other sizes of changes. */
function figuresOnly(evidence: string): string {
  return /^.*?\.(?= [A-Z]|$)/.exec(evidence)?.[0] ?? evidence;
}

/**
 * Lines about what the baseline does not decide: what is judged by its own rule, and what is undecided. With `onlyFallen`,
 * an undecided scenario is named only if its pass rate fell: one line is enough for a run that did as well as before.
 */
export function againstLines(against: AgainstOutcome, { onlyFallen }: { onlyFallen: boolean }): string[] {
  return [...untilLines(against), ...openLines(against, { onlyFallen })];
}

const DECIDED = {
  worse: () => 'worse',
  better: () => 'better',
  not_worse: (margin: number) => `not worse by more than ${formatPointsSize(margin)}`,
};

/** How a run that goes on until it is decided has ended, and how many trials a fixed number would have been. */
function untilLines({ until, margin }: Pick<AgainstOutcome, 'until' | 'margin'>): string[] {
  if (!until) return [];
  const { decided, trials, earlier_trials: earlier, fixed_trials: fixed, looks, agents, next_look: next } = until;
  const before = earlier > 0 ? `, ${earlier >= trials ? 'all' : formatCount(earlier)} of them of earlier runs` : '';
  const seen = `${formatPlural(trials, 'trial')}${before} (${formatPlural(looks.length, 'look')})`;
  const later = next ? ` It would be looked at again after ${formatPlural(next.trials, 'trial')} of each case.` : '';
  const answer = decided
    ? `Decided after ${seen}: ${DECIDED[decided](margin)}.`
    : `Undecided after ${seen}.${later} More trials of the same agent continue this comparison.`;
  const drop = `a drop of ${formatPointsSize(margin)} in four of five runs`;
  return [
    answer,
    fixed === null
      ? `No fixed number of trials shows ${drop} with this baseline: it has too few.`
      : `A fixed number that shows ${drop} is ${formatPlural(fixed, 'trial')}.`,
    ...(agents > 1
      ? [
          `${formatCount(agents)} comparisons of this kind were made with this baseline; each may call equal agents different by luck in 5%.`,
        ]
      : []),
  ];
}

/** What the baseline does not decide. */
function openLines(against: AgainstOutcome, { onlyFallen }: { onlyFallen: boolean }): string[] {
  const labelOf = againstLabels(against);
  const those = (answer: AgainstScenario['answer']) => against.scenarios.filter((each) => each.answer === answer);
  const withNew = against.scenarios.filter(({ new_cases }) => new_cases.length > 0);
  return [
    ...listed('Not in the baseline, so judged by its own rule', those('new').map(labelOf)),
    ...listed(
      'Not comparable with the baseline, so judged by its own rule',
      those('not_comparable').map((each) => `${labelOf(each)} (${each.because.join('; ')})`),
    ),
    ...listed(
      'Cases that the baseline does not have, so judged by their own rule',
      withNew.flatMap((each) => each.new_cases.map((name) => `${labelOf(each)}/${name}`)),
    ),
    ...listed('In the baseline, but not run or in quarantine', against.comparison.only_base),
    ...undecidedLine(against, { labelOf, onlyFallen }),
  ];
}

/** What differs about the agent, for a report without the table of the comparison. */
export function differenceLines({ comparison }: AgainstOutcome): string[] {
  const all = new Set(comparison.scenarios.flatMap(({ differences }) => differences));
  return listed('Differs from the baseline', [...all, ...comparison.agent_differences]);
}

/** That something is open, how large a drop is possible, and how many trials would tell. */
function undecidedLine(
  against: AgainstOutcome,
  { labelOf, onlyFallen }: { labelOf: (scenario: AgainstScenario) => string; onlyFallen: boolean },
): string[] {
  const compared = comparedBy(against);
  const hasFallen = (each: AgainstScenario) => (compared.get(entryKey(each))?.difference?.value ?? 0) < 0;
  const undecided = against.scenarios.filter((each) => each.answer === 'undecided' && (!onlyFallen || hasFallen(each)));
  const [first] = undecided;
  if (!first) return [];
  const lows = undecided.flatMap((each) => compared.get(entryKey(each))?.difference?.interval?.[0] ?? []);
  const lowest = Math.min(0, ...lows);
  const trials = undecided.flatMap(({ trials_to_decide }) => trials_to_decide ?? []);
  const [fewest, most] = [Math.min(...trials), Math.max(...trials)];
  const parts = [
    `Undecided whether ${undecided.length === 1 ? `${labelOf(first)} is` : `${formatPlural(undecided.length, 'scenario')} are`} worse than ${against.source}`,
    lowest < 0
      ? `: a drop of up to ${formatPointsSize(lowest)} is possible${undecided.length === 1 ? '' : ' in one of them'}`
      : '',
    trials.length === 0
      ? ''
      : `; about ${fewest === most ? formatCount(most) : `${formatCount(fewest)} to ${formatCount(most)}`} trials in each run would decide`,
  ];
  return [`${parts.join('')}.`];
}
