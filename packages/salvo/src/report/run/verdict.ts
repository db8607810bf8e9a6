import { candidateNoun, isMatrix } from '../../run/record/candidate-labels.ts';
import type { ScenarioSummary, Verdict } from '../../run/record/run-document.ts';
import { isComplete } from '../../run/verdict/verdict.ts';
import { formatCount, formatPercent, formatPlural, formatScore } from '../../stats/format.ts';
import { againstMeaning, baselineReason, ownRuleWords } from '../compare/baseline-words.ts';
import type { Tone } from '../document/document.ts';
import type { RunReport } from './run-report.ts';
import { exactGateValue, gateInWords, verdictGates } from './words/gate-words.ts';

const LOOKS: Record<Verdict, { symbol: string; tone: Tone; icon: string }> = {
  PASS: { symbol: '✔', tone: 'green', icon: '✅' },
  PARTIAL: { symbol: '◐', tone: 'yellow', icon: '🟡' },
  FAIL: { symbol: '✖', tone: 'red', icon: '❌' },
  HARD_FAIL: { symbol: '✖', tone: 'red', icon: '⛔' },
  UNSCORED: { symbol: '?', tone: 'magenta', icon: '❔' },
  RECORDED: { symbol: '●', tone: 'cyan', icon: '⏺️' },
  SKIPPED: { symbol: '-', tone: 'dim', icon: '⏭️' },
  QUARANTINED: { symbol: '◌', tone: 'dim', icon: '🚧' },
};

/** A verdict as one character, which is an icon in Markdown. */
export function verdictSign(verdict: Verdict) {
  const { symbol: text, tone, icon: print } = LOOKS[verdict];
  return { text, tone, print };
}

export function verdictTone(verdict: Verdict): Tone {
  return LOOKS[verdict].tone;
}

/** Whether a run with only this scenario would exit with 0. */
export function isGreen({ verdict }: Pick<ScenarioSummary, 'verdict'>): boolean {
  return verdict === 'PASS' || verdict === 'RECORDED';
}

/** Whether a scenario or a case is part of the verdict: it was neither skipped nor is it in quarantine. */
export function isCounted({ verdict }: Pick<ScenarioSummary, 'verdict'>): boolean {
  return verdict !== 'SKIPPED' && verdict !== 'QUARANTINED';
}

const BY_BASELINE: ReadonlySet<ScenarioSummary['decided_by']> = new Set([
  ...(['baseline', 'baseline_together', 'baseline_observed', 'baseline_undecided'] as const),
  ...(['new_cases', 'nothing_passed'] as const),
]);

/** Whether the comparison with a baseline decided, and not a rule of the scenario. */
export function isByBaseline({ decided_by }: Pick<ScenarioSummary, 'decided_by'>): boolean {
  return BY_BASELINE.has(decided_by);
}

/** What the exit code of a run means. Of a single scenario: the rule that decided. */
export function exitMeaning(report: Pick<RunReport, 'verdict' | 'scenarios' | 'against'>): string {
  const { verdict, against } = report;
  const scenarios = report.scenarios.filter(isCounted);
  // A run that fails by itself does not need the baseline to.
  const isOfBaseline = scenarios.every((each) => isByBaseline(each) || isGreen(each));
  if (against && isOfBaseline && scenarios.length > 0) return againstMeaning(against);
  if (scenarios.length === 0 && report.scenarios.length > 0) {
    const isSkipped = report.scenarios.every((scenario) => scenario.verdict === 'SKIPPED');
    return `everything ${isSkipped ? 'was skipped' : 'is in quarantine or was skipped'}, so nothing was proven`;
  }
  const [only, ...others] = scenarios;
  if (only && others.length === 0) return `${verdictReason(only)}${thoughNeverPassed(scenarios)}`;
  const failed = scenarios.filter((scenario) => ['FAIL', 'PARTIAL', 'HARD_FAIL'].includes(scenario.verdict));
  const hard = scenarios.filter((scenario) => scenario.verdict === 'HARD_FAIL');
  const several = isMatrix(scenarios);
  const candidate = candidateNoun(scenarios);
  const noun = several ? `combinations of scenario and ${candidate}` : 'scenarios';
  switch (verdict) {
    case 'PASS': {
      const missing = scenarios.reduce((sum, each) => sum + toleratedMissing(each), 0);
      const passed = several ? `every scenario passed with every ${candidate}` : 'every scenario passed';
      const tolerated =
        missing === 0 ? '' : `; ${formatPlural(missing, 'trial')} not run or not judged (allowed as unscored)`;
      return `${passed}${tolerated}${thoughNeverPassed(scenarios)}`;
    }
    case 'RECORDED':
      return 'traces were recorded; nothing was judged';
    case 'PARTIAL':
    case 'FAIL':
      return `${failed.length} of ${scenarios.length} ${noun} failed`;
    case 'HARD_FAIL':
      return `a required assertion failed in ${hard.length} of ${scenarios.length} ${noun}`;
    case 'SKIPPED':
    case 'QUARANTINED':
    case 'UNSCORED':
      return scenarios.every((scenario) => scenario.verdict !== 'UNSCORED' || scenario.decided_by === 'missing_trials')
        ? 'not all trials were run and judged, so nothing was proven'
        : 'some trials could not be scored, so nothing was proven';
  }
}

/** A run that is green says how many assertions never passed, of those that count. */
function thoughNeverPassed(scenarios: readonly ScenarioSummary[]): string {
  const never = scenarios.filter(isGreen).flatMap((each) => each.never_passed.filter(({ counts }) => counts));
  return never.length === 0 ? '' : `; ${formatPlural(never.length, 'assertion')} never passed`;
}

/** Which rule decided the verdict of a scenario, with its numbers, in one sentence without a full stop. */
export function verdictReason(scenario: ScenarioSummary): string {
  const { trials_planned: planned, trials_total: total, trials_unscored: unscored } = scenario;
  const passed = passedTrials(scenario);
  switch (scenario.decided_by) {
    case 'min_pass_rate':
      return [
        `${passed}; ${formatPercent(scenario.min_pass_rate)} must pass (min_pass_rate)`,
        ownRuleWords(scenario),
        scenario.verdict === 'PASS' && scenario.min_score !== null ? `mean score ${againstMinScore(scenario)}` : '',
        unscored > 0 ? `${formatPlural(unscored, 'unscored trial')} tolerated (allowed as unscored)` : '',
        toleratedMissing(scenario) > 0
          ? `${missingTrials(scenario)}${isGreen(scenario) ? ' (allowed as unscored)' : ''}`
          : '',
      ]
        .filter((part) => part !== '')
        .join('; ');
    case 'min_score':
      return `${passed}, but the mean score is too low: ${againstMinScore(scenario)}`;
    case 'min_pass_hat_k':
    case 'min_pass_at_k':
    case 'min_criteria':
    case 'max_cost_usd':
    case 'max_latency_seconds':
    case 'unknown_gate':
      return `${passed}, but ${verdictGates(scenario)
        .map((gate) => gateInWords(gate, scenario, { withInterval: false }))
        .join('; ')}`;
    case 'baseline':
    case 'baseline_together':
    case 'baseline_observed':
    case 'baseline_undecided':
    case 'new_cases':
    case 'nothing_passed':
      return `${passed}; ${baselineReason(scenario)}${toleratedMissing(scenario) > 0 ? `; ${missingTrials(scenario)}` : ''}`;
    case 'equal_crashes':
      return `the first trials crashed alike, so ${formatCount(planned - total)} of ${formatPlural(planned, 'trial')} were not started; ${passed}`;
    case 'required_assertion':
      return `a required assertion failed in ${formatPlural(scenario.trials_hard_failed, 'trial')}; ${passed}`;
    case 'unscored_trials':
      return `${passed}, but ${formatPlural(unscored, 'trial')} could not be scored`;
    case 'nothing_scored':
      return `none of ${formatPlural(total, 'trial')} could be scored`;
    case 'missing_trials':
      return total === 0 ? missingTrials(scenario) : `${passed}, but ${missingTrials(scenario)}`;
    case 'record_only':
      return scenario.given
        ? `${formatPlural(total, 'trace')} imported, not judged; given outcomes: ${scenario.given.passed} of ${scenario.given.outcomes} passed`
        : `${formatPlural(total, 'trace')} recorded, not judged`;
    case 'nothing_recorded':
      return `none of ${formatPlural(planned, 'trace')} could be recorded`;
    case 'quarantine': {
      const { quarantine } = scenario;
      const until = quarantine
        ? `in quarantine until ${quarantine.until} (${quarantine.reason})`
        : 'all cases are in quarantine';
      return `${until}, so no part of the verdict; ${passed}`;
    }
    case 'skip':
      return `skipped: ${scenario.skipped ?? 'no reason given'}`;
  }
}

function passedTrials(scenario: ScenarioSummary): string {
  const { trials_passed, trials_scored, trials_unscored, trials_crashed, pass_rate, cases } = scenario;
  const noun = trials_unscored > 0 ? 'scored trial' : 'trial';
  const crashed = trials_crashed > 0 ? ` (${formatCount(trials_crashed)} crashed)` : '';
  // Cases weigh the same. If they differ in their number of trials, the counts do not show the rate that decides.
  const isMean = cases.length > 1 && formatPercent(trials_passed / trials_scored) !== formatPercent(pass_rate);
  const rate = isMean ? `, ${formatPercent(pass_rate)} as a mean over cases` : '';
  return `${formatCount(trials_passed)} of ${formatPlural(trials_scored, noun)} passed${crashed}${rate}`;
}

/** Trials that are missing although the verdict is not about that: those that a certain verdict made needless are not. */
function toleratedMissing({ stopped, trials_planned: planned, trials_total: total }: ScenarioSummary): number {
  return isComplete(stopped) ? 0 : Math.max(0, planned - total);
}

function missingTrials(scenario: ScenarioSummary): string {
  const { trials_planned: planned, trials_not_judged: notJudged } = scenario;
  const notRun = Math.max(0, planned - scenario.trials_total - notJudged);
  const of = `of ${formatPlural(planned, 'trial')}`;
  if (notJudged === 0) return notRun === planned ? `none ${of} was run` : `${formatCount(notRun)} ${of} were not run`;
  const ran =
    notJudged === planned
      ? `all ${of} ran but none was judged`
      : `${formatCount(notJudged)} ${of} ran but were not judged`;
  return notRun === 0 ? ran : `${ran}, and ${formatCount(notRun)} were not run`;
}

/** With enough digits that 0.796 against 0.8 does not read as "0.80, at least 0.80". */
function againstMinScore({ score_avg: mean, min_score }: ScenarioSummary): string {
  const least = min_score ?? 0;
  if (mean === null) return `unknown, at least ${formatScore(least)} required (min_score)`;
  const gate = { gate: 'min_score', value: mean, limit: least } as const;
  return `${exactGateValue(gate, mean)}, at least ${exactGateValue(gate, least)} required (min_score)`;
}
