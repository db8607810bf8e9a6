import type { ScenarioSummary, Verdict } from '../run/run-document.ts';
import { formatPercent, formatPlural, formatScore } from './format.ts';
import type { Style } from './style.ts';

const SIGNS: Record<Verdict, string> = {
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

export function verdictSign(verdict: Verdict): string {
  return SIGNS[verdict];
}

export function verdictPaint(verdict: Verdict, style: Style): (text: string) => string {
  return style[COLOURS[verdict]];
}

/** What the exit code of a run stands for. */
export function exitMeaning(verdict: Verdict, exitCode: number): string {
  if (verdict === 'PASS') {
    return exitCode === 0
      ? 'every scenario met its threshold'
      : 'scores are fine, but the pass rate is below the minimum';
  }
  const meaning = {
    PARTIAL: 'a mean score is below its threshold, though some trials passed',
    FAIL: 'a mean score is below its threshold and no trial passed',
    HARD_FAIL: 'a required assertion failed',
    UNSCORED: 'some trials could not be scored, so nothing was proven',
    RECORDED: 'traces were recorded; nothing was judged',
  }[verdict];
  return exitCode === 0 && verdict !== 'RECORDED' ? `${meaning} (accepted)` : meaning;
}

/** Why one scenario got its verdict, in its own figures. */
export function verdictReason(scenario: ScenarioSummary): string {
  const passed = `${scenario.trials_passed} of ${formatPlural(scenario.trials_scored, 'scored trial')} passed`;
  const mean = meanAgainstThreshold(scenario);
  switch (scenario.verdict) {
    case 'PASS':
      return scenario.pass_rate === 1 ? `all passed, ${mean}` : `${formatPercent(scenario.pass_rate)} passed, ${mean}`;
    case 'PARTIAL':
    case 'FAIL':
      return `${passed}, ${mean}`;
    case 'HARD_FAIL':
      return `a required assertion failed in ${formatPlural(scenario.trials_hard_failed, 'trial')}; ${passed}`;
    case 'UNSCORED':
      if (scenario.trials_scored === 0)
        return `none of ${formatPlural(scenario.trials_total, 'trial')} could be scored`;
      return `${passed}, but ${formatPlural(scenario.trials_unscored, 'trial')} could not be scored`;
    case 'RECORDED':
      return `${formatPlural(scenario.trials_total, 'trace')} recorded, not judged`;
  }
}

/** 0.796 against 0.8 must not read as "0.80, threshold 0.80". */
function meanAgainstThreshold({ score_avg: mean, threshold }: ScenarioSummary): string {
  if (mean === null) return 'no mean score';
  const digits = [2, 3, 4, 5].find((count) => mean.toFixed(count) !== threshold.toFixed(count)) ?? 2;
  const shown = (score: number) => (digits === 2 ? formatScore(score) : score.toFixed(digits));
  return `mean score ${shown(mean)}, threshold ${shown(threshold)}`;
}
