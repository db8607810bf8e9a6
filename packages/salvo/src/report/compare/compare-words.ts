import type { ComparedScenario, RunComparison } from '../../run/compare/compare-runs.ts';
import type { Conclusion, Difference, TogetherComparison } from '../../run/compare/comparison.ts';
import {
  formatCount,
  formatDifference,
  formatMoney,
  formatPercent,
  formatPlural,
  formatPointsInterval,
  formatPointsSize,
  formatSeconds,
  pEquation,
  twoDigits,
} from '../../stats/format.ts';
import { scenarioTitles } from '../run/words/scenario-handles.ts';

export const CONCLUSION_WORDS: Record<Conclusion, string> = {
  worse: 'worse',
  better: 'better',
  no_evidence: 'no evidence',
  too_few_trials: 'too few trials',
  not_comparable: 'not comparable',
};

/** `-12 points (95% CI -21 to -3)` */
function pointsWithInterval({ value, interval }: Difference): string {
  return `${formatDifference(value)}${interval ? ` (95% CI ${formatPointsInterval(interval)})` : ''}`;
}

const HEADS: Record<Conclusion, string> = {
  worse: 'Worse',
  better: 'Better',
  no_evidence: 'No evidence of a change',
  too_few_trials: 'Too few trials to tell',
  not_comparable: 'Not comparable',
};

/** One plain sentence about a scenario, or a few. */
export function scenarioSentence(scenario: ComparedScenario): string {
  const conclusion = scenario.difference ? scenario.conclusion : 'not_comparable';
  return `${HEADS[conclusion]}: ${scenarioEvidence(scenario)}`;
}

/** The same without its first words, for where they are beside it. */
export function scenarioEvidence(scenario: ComparedScenario): string {
  const { conclusion, difference, base, next, p, p_holm, smallest_detectable } = scenario;
  if (conclusion === 'not_comparable' || !difference) return notComparable(scenario);
  const rates = { base: base.pass_rate, next: next.pass_rate };
  const figures = figuresOf({ ...rates, difference, p, p_holm });
  if (isChange(conclusion)) return `${figures} This is more than luck.${scoreSentence(scenario)}`;
  const open = `${possibleDrop(difference)}${detectableSentence(smallest_detectable)}`;
  return `${figures} ${open}${neededSentence(scenario)}${scoreSentence(scenario)}`;
}

/** One plain sentence about all scenarios together, or two. */
export function togetherSentence(together: TogetherComparison): string {
  return `${HEADS[together.conclusion]}: ${togetherEvidence(together)}`;
}

/** The same without its first words. */
export function togetherEvidence(together: TogetherComparison): string {
  const { conclusion, base_pass_rate: base, next_pass_rate: next, difference, smallest_detectable } = together;
  const figures = figuresOf({ ...together, base, next });
  if (isChange(conclusion)) return `${figures} This is more than luck.`;
  return `${figures} ${possibleDrop(difference)}${detectableSentence(smallest_detectable)}`;
}

/** What to call the row of all scenarios. */
export function togetherLabel({ scenarios }: TogetherComparison): string {
  return `all scenarios (${formatCount(scenarios)})`;
}

/** Whether it is a difference, and not what could be luck. */
export function isChange(conclusion: Conclusion | undefined): conclusion is 'better' | 'worse' {
  return conclusion === 'worse' || conclusion === 'better';
}

function figuresOf(found: {
  base: number | null;
  next: number | null;
  difference: Difference;
  p: number | null;
  p_holm: number | null;
}): string {
  const { base, next, difference, p, p_holm } = found;
  const evidence = p_holm === null || p === null ? '' : `, ${pWords(p, p_holm)}`;
  return `${formatPercent(next)} passed, ${formatPercent(base)} before: ${pointsWithInterval(difference)}${evidence}.`;
}

/** The interval belongs to p alone. Where the correction for other tests changes the answer, both are said. */
function pWords(p: number, corrected: number): string {
  if (corrected === p) return pEquation(p);
  if (isOnlyAlone({ p, p_holm: corrected }))
    return `${pEquation(p)} alone, but ${pEquation(corrected)} among all tests (Holm)`;
  return `${pEquation(corrected)} by Holm`;
}

/** Whether it would be a difference if it were the only test: then its interval excludes 0, and it is called none. */
export function isOnlyAlone({ p, p_holm }: Pick<ComparedScenario, 'p' | 'p_holm'>): boolean {
  return p !== null && p_holm !== null && p < SIGNIFICANT && p_holm >= SIGNIFICANT;
}

const SIGNIFICANT = 0.05;

/** That nothing was found does not show that nothing fell. */
function possibleDrop({ interval }: Difference): string {
  return interval && interval[0] < 0 ? `A drop of up to ${formatPointsSize(interval[0])} is possible. ` : '';
}

function detectableSentence(smallest: number | null): string {
  return smallest === null
    ? 'Not even the largest change would be found reliably with so few.'
    : `A change of ${formatPointsSize(smallest)} would be found in four of five such comparisons.`;
}

function notComparable({ not_comparable_because: because, base, next }: ComparedScenario): string {
  if (because.length > 0) {
    return `${because.join('; ')}. Pass rates by different yardsticks say nothing about the agent.`;
  }
  if (base.trials_unscored + next.trials_unscored > 0) return 'one of the runs has no scored trial of it.';
  return 'no case was scored in both runs.';
}

function neededSentence({ trials_needed, cases_needed }: ComparedScenario): string {
  if (trials_needed === null) return '';
  const size =
    cases_needed === null
      ? `${formatCount(trials_needed)} trials in each run`
      : `${formatCount(cases_needed)} cases with as many trials`;
  return ` About ${size} would show one of 20 points.`;
}

/** Said only if the scores changed significantly. */
export function scoreSentence({ score, conclusion }: ComparedScenario): string {
  if (!score || score.p_holm === null || score.p_holm >= SIGNIFICANT) return '';
  if (isChange(conclusion)) return '';
  const { value } = score.difference;
  return ` The mean score ${value < 0 ? 'fell' : 'rose'} by ${twoDigits(Math.abs(value))} (${pEquation(score.p_holm)}).`;
}

/** Lines about a scenario besides its sentence: what differs, which cases changed, what it costs. */
export function scenarioRemarks(scenario: ComparedScenario): string[] {
  const { differences, notes, flipped, cases } = scenario;
  return [
    ...differences.map((difference) => `${capital(difference)}.`),
    ...notes.filter((note) => !note.includes(' only in the ')),
    ...listed('Failed now', flipped.to_failed),
    ...listed('Passed now', flipped.to_passed),
    ...listed('Only in the base', cases.only_base),
    ...listed('Only in the new run', cases.only_next),
    ...measuredSentence(scenario),
  ];
}

const MOST_LISTED = 10;

/** One line with the first names, or none. */
export function listed(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_LISTED ? ` and ${formatCount(names.length - MOST_LISTED)} more` : '';
  return [`${what}: ${names.slice(0, MOST_LISTED).join(', ')}${more}`];
}

/** A mean time that changed by less than this factor is not mentioned: two runs of one agent differ as much. */
const NOTABLE_TIME = 1.5;
/** The same in seconds. */
const NOTABLE_SECONDS = 0.1;

/** A cost that differs by more than luck, if a reader sees it in the figures, and a time that differs by much. */
function measuredSentence({ cost_usd: cost, latency_seconds: time }: ComparedScenario): string[] {
  const sentences: string[] = [];
  const interval = cost?.difference.interval;
  const isSeen = cost && formatMoney(cost.base) !== formatMoney(cost.next);
  if (isSeen && interval && (interval[0] > 0 || interval[1] < 0)) {
    const ends = interval.map((end) => signed(end, formatMoney)).join(' to ');
    sentences.push(
      `Cost per trial: ${formatMoney(cost.base)} before, ${formatMoney(cost.next)} now (95% CI of the difference ${ends})`,
    );
  }
  if (time && isNotable(time)) {
    sentences.push(
      `Time per trial: ${formatSeconds(time.base)} before, ${formatSeconds(time.next)} now; one measurement of each run, whose trials share a machine and its load`,
    );
  }
  return sentences;
}

function isNotable({ base, next }: { base: number; next: number }): boolean {
  return Math.abs(next - base) >= NOTABLE_SECONDS && Math.max(base, next) >= NOTABLE_TIME * Math.min(base, next);
}

function signed(value: number, unit: (value: number) => string): string {
  return `${value < 0 ? '-' : '+'}${unit(Math.abs(value))}`;
}

/** One plain sentence about everything. */
export function overallSentence({ conclusion, scenarios, together, only_base, only_next }: RunComparison): string {
  const count = (of: Conclusion) => scenarios.filter((each) => each.conclusion === of).length;
  const [worse, better, few] = [count('worse'), count('better'), count('too_few_trials')];
  const of = formatPlural(scenarios.length, 'scenario');
  const ofAll = `all ${formatPlural(together?.scenarios ?? 0, 'scenario')}`;
  const missing =
    only_base.length === 0
      ? ''
      : ` ${formatPlural(only_base.length, 'scenario')} of the base did not run, or ${only_base.length === 1 ? 'is' : 'are'} in quarantine.`;
  if (isChange(conclusion) && worse + better === 0 && together) {
    return `${HEADS[conclusion]} over ${ofAll} together; none of them shows it alone.${missing}`;
  }
  switch (conclusion) {
    case 'worse':
      return `Worse in ${worse} of ${of}${better > 0 ? `, better in ${better}` : ''}.${missing}`;
    case 'better':
      return `Better in ${better} of ${of}, worse in none.${missing}`;
    case 'no_evidence':
      if (count('no_evidence') === 0) {
        return `No evidence of a change over ${ofAll} together; too few trials to tell in each of them.${missing}`;
      }
      return `No evidence of a change in ${of}${few > 0 ? `; too few trials in ${few} of them` : ''}.${missing}`;
    case 'too_few_trials':
      return `Too few trials to tell in ${of}.${missing}`;
    case 'not_comparable':
      if (scenarios.length > 0) return 'Nothing can be compared.';
      return only_base.some((name) => only_next.includes(name))
        ? 'Nothing can be compared: a run has several models. Choose one, such as latest@gpt-4o.'
        : 'Nothing can be compared: the runs have no scenario in common.';
  }
}

/** How a run is called in reports. */
export function runWords({ run_id, created_at, commit }: RunComparison['base']): string {
  const when = created_at.slice(0, 16).replace('T', ' ');
  return `${run_id}${when === '' ? '' : ` of ${when}`}${commit === null ? '' : ` at ${commit.slice(0, 10)}`}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * What to call scenarios: by name, with both models if they differ and are not the same two everywhere, and with the
 * model if several have the name.
 */
export function scenarioLabels(scenarios: readonly ComparedScenario[]): (scenario: ComparedScenario) => string {
  const titles = scenarioTitles(
    scenarios.map(({ next_adapter: adapter, next_model: model, ...rest }) => ({ ...rest, adapter, model })),
  );
  const modelsOf = ({ base_model, next_model }: ComparedScenario) => `${base_model} → ${next_model}`;
  const hasOnePair = new Set(scenarios.map(modelsOf)).size === 1;
  return (scenario) => {
    const { name, base_model, next_model } = scenario;
    if (base_model !== next_model && !hasOnePair) return `${name} (${modelsOf(scenario)})`;
    return titles[scenarios.indexOf(scenario)] ?? name;
  };
}
