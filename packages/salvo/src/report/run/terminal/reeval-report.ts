import type { TrialStatus } from '../../../evaluators/eval-result.ts';
import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import { costOfJudges } from '../../../run/record/run-document.ts';
import type { ChangedTrial, ReevaluatedScenario } from '../../../run/reevaluate/reevaluation.ts';
import {
  formatAmount,
  formatPercent,
  formatPlural,
  formatPointsSize,
  formatScore,
  MISSING,
  twoDigits,
} from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { type Block, figure, type Text, table } from '../../document/document.ts';
import { terminalBlocks } from '../../document/terminal.ts';
import { type Look, renderFor } from '../../terminal/look.ts';
import type { Style } from '../../terminal/style.ts';
import { joinBlocks, wrap } from '../../terminal/wrap.ts';
import { neverPassedLine } from '../never-passed.ts';
import { isJudged } from '../run-report.ts';
import { verdictReason, verdictTone } from '../verdict.ts';
import { intervalText } from '../words/run-notes.ts';
import { scenarioTitles } from '../words/scenario-handles.ts';
import { statusPaint, statusSymbol } from './trial-strip.ts';

const MOST_TRIALS = 20;

/** What a new judgement of stored traces changed, for `salvo reeval`. */
export function renderReevals(reports: readonly ReevaluatedScenario[], look: Look): string {
  const titles = scenarioTitles(reports.map(({ after }) => after));
  return reports.map((report, index) => `${renderReeval(report, titles[index] ?? report.name, look)}\n`).join('');
}

function renderReeval(report: ReevaluatedScenario, title: string, look: Look): string {
  return renderFor(look, ({ width, style }) =>
    joinBlocks([
      [style.bold(safeLine(title, width))],
      driftLines(report.task_changes, width, style),
      ...terminalBlocks([comparison(report)], { width, style }),
      [`Now: ${verdictReason(report.after)}.`, neverPassedLine(report.after) ?? '']
        .filter((line) => line !== '')
        .flatMap((line) => wrap(line, width)),
      trialLines(report.changed_trials, width, style),
    ]),
  );
}

function driftLines(changes: readonly string[], width: number, style: Style): string[] {
  if (changes.length === 0) return [];
  const warning = 'The task itself changed since these traces were recorded; run it again for a fair verdict:';
  const lines = changes.flatMap((change) =>
    wrap(safeLine(change, 300), width - 4).map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`),
  );
  return [...wrap(warning, width), ...lines].map(style.yellow);
}

function comparison({ before, after }: ReevaluatedScenario): Block {
  const row = (what: string, cell: (summary: ScenarioSummary) => Text, change = '') => ({ what, cell, change });
  const rows = [
    row(
      'verdict',
      ({ verdict }) => ({ text: verdict.replace('_', ' '), tone: verdictTone(verdict) }),
      before.verdict === after.verdict ? 'same' : 'changed',
    ),
    row('passed', ({ trials_passed, trials_scored }) => `${trials_passed}/${trials_scored}`),
    row(
      'pass rate',
      ({ pass_rate }) => formatPercent(pass_rate),
      difference(before.pass_rate, after.pass_rate, formatPointsSize),
    ),
    row('95% interval', (summary) => ({ text: intervalText(summary), tone: 'dim' })),
    row(
      'mean score',
      ({ score_avg }) => formatScore(score_avg),
      difference(before.score_avg, after.score_avg, twoDigits),
    ),
    row(
      'not scored',
      ({ trials_unscored }) => String(trials_unscored),
      difference(before.trials_unscored, after.trials_unscored, String),
    ),
  ];
  if (before.trials_crashed > 0 || after.trials_crashed > 0) {
    rows.push(row('crashed', ({ trials_crashed }) => String(trials_crashed)));
  }
  // No agent was called again, but judges were.
  if (isJudged(before) || isJudged(after)) {
    rows.push(row('judges', (each) => (isJudged(each) ? formatAmount(costOfJudges(each)) : MISSING)));
  }
  return table(rows, [
    { header: '', priority: 4, cell: ({ what: text }) => ({ text, tone: 'dim' }) },
    figure('Before', 2, ({ cell }) => cell(before)),
    figure('After', 3, ({ cell }) => cell(after)),
    figure('Change', 1, ({ change }) => change),
  ]);
}

function difference(before: number | null, after: number | null, show: (by: number) => string): string {
  if (before === null || after === null) return '';
  if (before === after) return 'same';
  return `${after > before ? '↑ +' : '↓ -'}${show(Math.abs(after - before))}`;
}

function trialLines(trials: readonly ChangedTrial[], width: number, style: Style): string[] {
  if (trials.length === 0) return ['No trial was judged differently.'];
  // Trials with another outcome first, then by the change of their score.
  const ordered = trials.toSorted(
    (a, b) => Number(isFlip(b)) - Number(isFlip(a)) || movedBy(b) - movedBy(a) || a.trial_number - b.trial_number,
  );
  const flips = trials.filter(isFlip).length;
  const shown = ordered.slice(0, MOST_TRIALS);
  const nameOf = (trial: ChangedTrial) =>
    safeLine(trial.case === null ? String(trial.trial_number) : `${trial.case} ${trial.trial_number}`, 40);
  const numberWidth = Math.max(...shown.map((trial) => nameOf(trial).length));
  const lines = shown.map((trial) => {
    const scores = `${formatScore(trial.score_before)} → ${formatScore(trial.score_after)}`;
    const [from, to] = [statusWord(trial.before, style), statusWord(trial.after, style)];
    const length = 'trial '.length + numberWidth + 4 + statusLength(trial.before) + statusLength(trial.after) + 3;
    const tail = length + scores.length + 2 <= width ? `  ${style.dim(scores)}` : '';
    return `trial ${nameOf(trial).padStart(numberWidth)}  ${from} → ${to}${tail}`;
  });
  const rest = trials.length - shown.length;
  return [
    ...wrap(`${formatPlural(trials.length, 'trial')} judged differently, ${statusChange(flips)}:`, width),
    ...lines,
    ...(rest > 0 ? [style.dim(`and ${formatPlural(rest, 'more trial')}`)] : []),
  ];
}

function isFlip({ before, after }: ChangedTrial): boolean {
  return before !== after;
}

function movedBy({ score_before, score_after }: ChangedTrial): number {
  return score_before === null || score_after === null ? 0 : Math.abs(score_after - score_before);
}

function statusChange(flips: number): string {
  if (flips === 0) return 'all with the same outcome';
  return `${flips} with another outcome`;
}

function statusWord(status: TrialStatus, style: Style): string {
  return statusPaint(status, style)(`${statusSymbol(status)} ${status.replace('_', ' ')}`);
}

function statusLength(status: TrialStatus): number {
  return status.length + 2;
}
