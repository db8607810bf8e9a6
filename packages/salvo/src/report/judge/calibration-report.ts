import type { CalibrationMetrics, Disagreement } from '../../judge/calibration/calibration-record.ts';
import type { CalibrationVerdict } from '../../judge/calibration/calibration-verdict.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPlural,
  MISSING,
  signedTwoDigits,
  twoDigits,
} from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { type Canvas, type Look, renderFor } from '../terminal/look.ts';
import type { Style } from '../terminal/style.ts';
import { type Cell, type Column, renderTable } from '../terminal/table.ts';
import { bullet, joinBlocks, joinParts, wrap } from '../terminal/wrap.ts';
import { calibrationAdvice, commonCause, isUnscored, type ShownCalibration } from './calibration-advice.ts';
import { disagreementLines } from './disagreement-lines.ts';

type VerdictKey = 'symbol' | 'name' | 'items' | 'agreement' | 'kappa' | 'interval' | 'sensitivity' | 'specificity';
type ScoreKey = 'name' | 'spearman' | 'kendall' | 'error' | 'absolute' | 'flips' | 'repeats' | 'best' | 'votes';

const VERDICT_COLUMNS: readonly Column<VerdictKey>[] = [
  { key: 'symbol', header: '', priority: 7 },
  { key: 'name', header: 'Verdict', priority: 8, min: 10 },
  { key: 'items', header: 'Items', align: 'right', priority: 3 },
  { key: 'agreement', header: 'Agree', align: 'right', priority: 5 },
  { key: 'kappa', header: 'Kappa', align: 'right', priority: 6 },
  { key: 'interval', header: '95% CI', align: 'right', priority: 4 },
  { key: 'sensitivity', header: 'Sensitivity', align: 'right', priority: 2 },
  { key: 'specificity', header: 'Specificity', align: 'right', priority: 1 },
];

const SCORE_COLUMNS: readonly Column<ScoreKey>[] = [
  { key: 'name', header: 'Scores', priority: 9, min: 10 },
  { key: 'spearman', header: 'Rho', align: 'right', priority: 5 },
  { key: 'kendall', header: 'Tau', align: 'right', priority: 1 },
  { key: 'error', header: 'Error', align: 'right', priority: 7 },
  { key: 'absolute', header: '|Error|', align: 'right', priority: 3 },
  { key: 'flips', header: 'Flips', align: 'right', priority: 8 },
  { key: 'repeats', header: 'Again', align: 'right', priority: 2 },
  { key: 'best', header: 'Best at', align: 'right', priority: 6 },
  { key: 'votes', header: 'Votes', align: 'right', priority: 4 },
];

/** Explanations of the columns that are shown. */
const MEANINGS: Partial<Record<VerdictKey | ScoreKey, string>> = {
  kappa: 'Kappa: agreement on pass or fail beyond chance; 1 is perfect agreement, 0 is chance.',
  sensitivity: 'Sensitivity: of what people passed, how much it passed.',
  specificity: 'Specificity: of what people failed, how much it failed.',
  spearman: 'Rho: whether it ranks the items as people do (Spearman).',
  kendall: 'Tau: the same by pairs of items (Kendall).',
  error: 'Error: its scores minus those of people.',
  flips: 'Flips: how often two of its votes on one item differ.',
  repeats: 'Again: how often the verdict of all votes differs when judged again.',
  best: 'Best at: the threshold that agrees best, and its kappa.',
  votes: 'Votes: how many make the verdict stable.',
};

const SYMBOLS: Record<CalibrationVerdict, string> = {
  usable: '✔',
  weak: '◐',
  'too few labels': '◌',
  'no better than chance': '✖',
};
const COLOURS: Record<CalibrationVerdict, keyof Style> = {
  usable: 'green',
  weak: 'yellow',
  'too few labels': 'magenta',
  'no better than chance': 'red',
};

/** How a judge compares with people, for `salvo calibrate`: the verdict and why, the metrics, and what to do next. */
export function renderCalibration(
  { disagreements, ...report }: ShownCalibration & { disagreements: readonly Disagreement[] },
  look: Look,
): string {
  return renderFor(look, (canvas) =>
    joinBlocks(calibrationBlocks(report, disagreementLines(disagreements, report.overall.n, canvas), canvas)),
  );
}

function calibrationBlocks(report: ShownCalibration, differing: string[], { width, style }: Canvas): string[][] {
  const advice = calibrationAdvice(report).flatMap((text) => bullet(text, width));
  if (isUnscored(report)) return [headline(report, width, style), advice];
  const rows = [...report.criteria, { name: 'overall', ...report.overall }].map((metrics, index) => ({
    metrics,
    name: { text: safeLine(metrics.name), ...(index === report.criteria.length ? { paint: style.bold } : {}) },
  }));
  const verdicts = renderTable({
    columns: VERDICT_COLUMNS,
    rows: rows.map(({ metrics, name }) => ({ name, ...verdictCells(metrics, style) })),
    width,
    style,
  });
  const scores = renderTable({
    columns: SCORE_COLUMNS,
    rows: rows.map(({ metrics, name }) => ({ name, ...scoreCells(metrics) })),
    width,
    style,
  });
  const hasScores = report.overall.n_scores > 0 || report.overall.vote_flip_rate !== null || report.criteria.length > 0;
  const meanings = [...verdicts.shown, ...(hasScores ? scores.shown : [])].flatMap((key) => MEANINGS[key] ?? []);
  return [
    headline(report, width, style),
    report.notes.flatMap((note) => wrap(safeLine(note, 400), width)),
    verdicts.lines,
    hasScores ? scores.lines : [],
    panelLines(report, width),
    advice,
    differing,
    meanings.flatMap((meaning) => wrap(meaning, width).map(style.dim)),
  ];
}

function headline(report: ShownCalibration, width: number, style: Style): string[] {
  const { judge_model, judge_adapter, k, verdict, items, scored, threshold } = report;
  const judge = [judge_model, judge_adapter && `(${judge_adapter})`, k && formatPlural(k, 'vote')].filter(Boolean);
  const paint = style[COLOURS[verdict]];
  const counted =
    scored === items
      ? formatPlural(items, 'labelled item')
      : `${formatCount(scored)} of ${formatPlural(items, 'labelled item')} scored`;
  return [
    ...(judge.length > 0 ? [style.bold(safeLine(judge.join(' '), width))] : []),
    ...(isUnscored(report)
      ? wrap(`◌ could not be compared with people: ${whyUnscored(report)}`, width).map(style.magenta)
      : [paint(`${SYMBOLS[verdict]} ${verdict}`), ...wrap(safeLine(report.reason, 400), width)]),
    ...wrap(`${counted}, threshold ${threshold}`, width).map(style.dim),
  ];
}

function panelLines({ panel }: ShownCalibration, width: number): string[] {
  if (!panel) return [];
  const judges = panel.judges.map(
    ({ judge_model, agreement }) => `${safeLine(judge_model, 40)} ${formatPercent(agreement)}`,
  );
  return joinParts([`Panel, agreement with people: majority ${formatPercent(panel.majority)}`, ...judges], width);
}

function whyUnscored({ unscored }: ShownCalibration): string {
  return safeLine(commonCause(unscored) ?? 'too few items could be scored', 300);
}

function verdictCells(metrics: CalibrationMetrics, style: Style): Record<Exclude<VerdictKey, 'name'>, Cell> {
  const paint = metrics.n === 0 ? style.dim : style[COLOURS[metrics.verdict]];
  const { kappa_ci: interval } = metrics;
  return {
    symbol: { text: metrics.n === 0 ? '·' : SYMBOLS[metrics.verdict], paint },
    items: { text: formatCount(metrics.n) },
    agreement: { text: formatPercent(metrics.agreement) },
    kappa: { text: twoDigits(metrics.kappa), paint },
    interval: { text: interval ? `${twoDigits(interval[0])} to ${twoDigits(interval[1])}` : MISSING, paint: style.dim },
    sensitivity: { text: rateCell(metrics.sensitivity) },
    specificity: { text: rateCell(metrics.specificity) },
  };
}

function scoreCells(metrics: CalibrationMetrics): Record<Exclude<ScoreKey, 'name'>, Cell> {
  const { best_threshold: best } = metrics;
  return {
    spearman: { text: twoDigits(metrics.spearman) },
    kendall: { text: twoDigits(metrics.kendall) },
    error: { text: signedTwoDigits(metrics.mean_error) },
    absolute: { text: twoDigits(metrics.mean_absolute_error) },
    flips: { text: formatPercent(metrics.vote_flip_rate) },
    // Empty unless items were judged repeatedly: then the column is left out.
    repeats: { text: metrics.repeat_flip_rate === null ? '' : formatPercent(metrics.repeat_flip_rate) },
    best: { text: best ? `${Number(best.threshold.toFixed(3))} (${twoDigits(best.kappa)})` : MISSING },
    votes: { text: votesCell(metrics) },
  };
}

function rateCell({ rate, ci }: CalibrationMetrics['sensitivity']): string {
  return rate === null ? MISSING : `${formatPercent(rate)} (${formatInterval(ci)})`;
}

function votesCell({ votes_needed, vote_flip_rate }: CalibrationMetrics): string {
  if (vote_flip_rate === null) return MISSING;
  return votes_needed === null ? '>21' : String(votes_needed);
}
