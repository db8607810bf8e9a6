import type { ScenarioSummary, Verdict } from '../../run/run-document.ts';
import { meetsThreshold } from '../../stats/meets-threshold.ts';
import { formatPercent, formatPlural, formatScore } from '../terminal/format.ts';
import type { Style } from '../terminal/style.ts';
import type { RunReport } from './run-report.ts';

const SYMBOLS: Record<Verdict, string> = {
  PASS: '✔',
  PARTIAL: '◐',
  FAIL: '✖',
  HARD_FAIL: '✖',
  UNSCORED: '?',
  RECORDED: '●',
};

const COLOURS: Record<Verdict, keyof Style> = {
  PASS: 'green',
  PARTIAL: 'yellow',
  FAIL: 'red',
  HARD_FAIL: 'red',
  UNSCORED: 'magenta',
  RECORDED: 'cyan',
};

export function verdictSymbol(verdict: Verdict): string {
  return SYMBOLS[verdict];
}

export function verdictPaint(verdict: Verdict, style: Style): (text: string) => string {
  return style[COLOURS[verdict]];
}

/** What the exit code of a run means. */
export function exitMeaning({ verdict, exit_code, scenarios }: ExitReport): string {
  if (verdict === 'PASS') {
    return exit_code === 0
      ? 'every scenario met its threshold'
      : 'scores are fine, but the pass rate is below the minimum';
  }
  const meaning = {
    PARTIAL: `${tooLow(scenarios, 'PARTIAL')}, though some trials passed`,
    FAIL: `${tooLow(scenarios, 'FAIL')} and no trial passed`,
    HARD_FAIL: 'a required assertion failed',
    UNSCORED: scenarios.some(couldNotBeScored)
      ? 'some trials could not be scored, so nothing was proven'
      : 'not all trials were run, so nothing was proven',
    RECORDED: 'traces were recorded; nothing was judged',
  }[verdict];
  return exit_code === 0 && verdict !== 'RECORDED' ? `${meaning} (accepted)` : meaning;
}

type ExitReport = Pick<RunReport, 'verdict' | 'exit_code' | 'scenarios'>;

function tooLow(scenarios: readonly ScenarioSummary[], verdict: Verdict): string {
  const worst = scenarios.filter((scenario) => scenario.verdict === verdict);
  return worst.length > 0 && worst.every(reachesThreshold)
    ? 'a pass rate is below the minimum'
    : 'a mean score is below its threshold';
}

function couldNotBeScored({ verdict, trials_unscored, trials_total, trials_scored }: ScenarioSummary): boolean {
  return verdict === 'UNSCORED' && (trials_unscored > 0 || (trials_total > 0 && trials_scored === 0));
}

/** If the mean reaches the threshold, only the pass rate can have been too low. */
function reachesThreshold({ score_avg, threshold }: ScenarioSummary): boolean {
  return score_avg !== null && meetsThreshold(score_avg, threshold);
}

/** Why a scenario got its verdict, in numbers. */
export function verdictReason(scenario: ScenarioSummary): string {
  const passed = `${scenario.trials_passed} of ${formatPlural(scenario.trials_scored, 'scored trial')} passed`;
  const mean = meanAgainstThreshold(scenario);
  switch (scenario.verdict) {
    case 'PASS':
      return scenario.pass_rate === 1 ? `all passed, ${mean}` : `${formatPercent(scenario.pass_rate)} passed, ${mean}`;
    case 'PARTIAL':
    case 'FAIL':
      if (reachesThreshold(scenario)) return `${passed}, which is below the minimum pass rate; ${mean}`;
      return `${passed}, ${mean}`;
    case 'HARD_FAIL':
      return `a required assertion failed in ${formatPlural(scenario.trials_hard_failed, 'trial')}; ${passed}`;
    case 'UNSCORED':
      if (scenario.trials_total === 0) return `none of ${formatPlural(scenario.trials_planned, 'trial')} was run`;
      if (scenario.trials_scored === 0)
        return `none of ${formatPlural(scenario.trials_total, 'trial')} could be scored`;
      if (scenario.trials_unscored === 0)
        return `${passed}, but ${scenario.trials_planned - scenario.trials_total} of ${scenario.trials_planned} trials were not run`;
      return `${passed}, but ${formatPlural(scenario.trials_unscored, 'trial')} could not be scored`;
    case 'RECORDED':
      return `${formatPlural(scenario.trials_total, 'trace')} recorded, not judged`;
  }
}

/** With enough digits that 0.796 against 0.8 does not read as "0.80, threshold 0.80". */
function meanAgainstThreshold({ score_avg: mean, threshold }: ScenarioSummary): string {
  if (mean === null) return 'no mean score';
  const digits = [2, 3, 4, 5].find((count) => mean.toFixed(count) !== threshold.toFixed(count)) ?? 2;
  const format = (score: number) => (digits === 2 ? formatScore(score) : score.toFixed(digits));
  return `mean score ${format(mean)}, threshold ${format(threshold)}`;
}
