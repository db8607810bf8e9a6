import type { CalibrationMetrics, Disagreement } from '../../judge/calibration/calibration-record.ts';
import type { CalibrationVerdict } from '../../judge/calibration/calibration-verdict.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPlural,
  formatScore,
  MISSING,
  signedTwoDigits,
  twoDigits,
} from '../../stats/format.ts';
import {
  type Block,
  column,
  figure,
  type Line,
  type ReportDocument,
  type ReportItem,
  type Text,
  type Tone,
  table,
  toned,
} from '../document/document.ts';
import { toTerminal } from '../document/terminal.ts';
import type { Look } from '../terminal/look.ts';
import { calibrationAdvice, commonCause, isUnscored, type ShownCalibration } from './calibration-advice.ts';

export const VERDICT_SYMBOLS: Record<CalibrationVerdict, string> = {
  usable: '✔',
  weak: '◐',
  'too few labels': '◌',
  'no better than chance': '✖',
};
export const VERDICT_TONES: Record<CalibrationVerdict, Tone> = {
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
  return toTerminal(calibrationReport(report, disagreements), look);
}

function calibrationReport(report: ShownCalibration, disagreements: readonly Disagreement[]): ReportDocument {
  const advice = { items: calibrationAdvice(report).map((text) => ({ symbol: '→', text })) };
  if (isUnscored(report)) return [headline(report), advice];
  const { overall, criteria, notes } = report;
  const rows = [...criteria, { name: 'overall', ...overall }];
  const hasScores = overall.n_scores > 0 || overall.vote_flip_rate !== null || criteria.length > 0;
  return [
    headline(report),
    { lines: notes },
    advice,
    verdictTable(rows),
    scoreTable(hasScores ? rows : []),
    panelBlock(report),
    disagreementList(disagreements, overall.n),
  ];
}

function headline(report: ShownCalibration): Block {
  const { judge_model, judge_adapter, k, verdict, items, scored, threshold } = report;
  const judge = [judge_model, judge_adapter && `(${judge_adapter})`, k && formatPlural(k, 'vote')].filter(Boolean);
  const counted =
    scored === items
      ? formatPlural(items, 'labelled item')
      : `${formatCount(scored)} of ${formatPlural(items, 'labelled item')} scored`;
  const why = commonCause(report.unscored) ?? 'too few items could be scored';
  const found: Line[] = isUnscored(report)
    ? toned('magenta', [`◌ could not be compared with people: ${why}`])
    : [{ text: `${VERDICT_SYMBOLS[verdict]} ${verdict}`, tone: VERDICT_TONES[verdict] }, report.reason];
  return {
    lines: [{ text: judge.join(' '), tone: 'bold' }, ...found, ...toned('dim', [`${counted}, threshold ${threshold}`])],
  };
}

function panelBlock({ panel }: ShownCalibration): Block {
  if (!panel) return { lines: [] };
  const judges = panel.judges.map(({ judge_model, agreement }) => `${judge_model} ${formatPercent(agreement)}`);
  const majority = `Panel, agreement with people: majority ${formatPercent(panel.majority)}`;
  return { lines: [{ parts: [majority, ...judges] }] };
}

type Row = CalibrationMetrics & { name: string };

function verdictTable(rows: readonly Row[]): Block {
  const toneOf = ({ n, verdict }: Row) => (n === 0 ? 'dim' : VERDICT_TONES[verdict]);
  const measure = { align: 'right' } as const;
  const kappa = 'agreement on pass or fail beyond chance; 1 is perfect agreement, 0 is chance';
  return table(rows, [
    column('', { priority: 7 }, (row) => ({
      text: row.n === 0 ? '·' : VERDICT_SYMBOLS[row.verdict],
      tone: toneOf(row),
    })),
    column('Verdict', { priority: 8, min: 10 }, (row, index) => nameWords(row, index, rows)),
    figure('Items', 3, ({ n }) => formatCount(n)),
    figure('Agree', 5, ({ agreement }) => formatPercent(agreement)),
    column('Kappa', { ...measure, priority: 6, meaning: kappa }, (row) => ({
      text: twoDigits(row.kappa),
      tone: toneOf(row),
    })),
    figure('95% CI', 4, ({ kappa_ci: interval }) => ({
      text: interval ? `${twoDigits(interval[0])} to ${twoDigits(interval[1])}` : MISSING,
      tone: 'dim',
    })),
    column('Sensitivity', { ...measure, priority: 2, meaning: 'of what people passed, how much it passed' }, (row) =>
      rateWords(row.sensitivity),
    ),
    column('Specificity', { ...measure, priority: 1, meaning: 'of what people failed, how much it failed' }, (row) =>
      rateWords(row.specificity),
    ),
  ]);
}

function scoreTable(rows: readonly Row[]): Block {
  const measure = (header: string, priority: number, meaning: string, cell: (row: Row) => string) =>
    column(header, { align: 'right', priority, meaning }, cell);
  return table(rows, [
    column('Scores', { priority: 9, min: 10 }, (row, index) => nameWords(row, index, rows)),
    measure('Rho', 5, 'whether it ranks the items as people do (Spearman)', (row) => twoDigits(row.spearman)),
    measure('Tau', 1, 'the same by pairs of items (Kendall)', (row) => twoDigits(row.kendall)),
    measure('Error', 7, 'its scores minus those of people', (row) => signedTwoDigits(row.mean_error)),
    figure('|Error|', 3, (row) => twoDigits(row.mean_absolute_error)),
    measure('Flips', 8, 'how often two of its votes on one item differ', (row) => formatPercent(row.vote_flip_rate)),
    // Empty unless items were judged repeatedly: then the column is left out.
    measure('Again', 2, 'how often the verdict of all votes differs when judged again', ({ repeat_flip_rate: rate }) =>
      rate === null ? '' : formatPercent(rate),
    ),
    measure('Best at', 6, 'the threshold that agrees best, and its kappa', ({ best_threshold: best }) =>
      best ? `${Number(best.threshold.toFixed(3))} (${twoDigits(best.kappa)})` : MISSING,
    ),
    measure('Votes', 4, 'how many make the verdict stable', votesWords),
  ]);
}

/** The last row is about all criteria together. */
function nameWords({ name: text }: Row, index: number, rows: readonly Row[]): Text {
  return index === rows.length - 1 ? { text, tone: 'bold' } : text;
}

function rateWords({ rate, ci }: CalibrationMetrics['sensitivity']): string {
  return rate === null ? MISSING : `${formatPercent(rate)} (${formatInterval(ci)})`;
}

function votesWords({ votes_needed, vote_flip_rate }: CalibrationMetrics): string {
  if (vote_flip_rate === null) return MISSING;
  return votes_needed === null ? '>21' : String(votes_needed);
}

const MOST_DISAGREEMENTS = 8;

/** The items on which a judge and people differ, worst first, with what the judge said. */
function disagreementList(disagreements: readonly Disagreement[], items: number): Block {
  const title = `Judge and people differ on ${disagreements.length} of ${formatPlural(items, 'item')}, worst first:`;
  return { title, items: disagreements.map(disagreementItem), most: MOST_DISAGREEMENTS };
}

function disagreementItem(each: Disagreement): ReportItem {
  const { human, judge, votes, votes_for, task, response, criterion, reasoning } = each;
  const word = (passed: boolean) => (passed ? 'pass' : 'fail');
  const score = judge.score === null ? '' : ` ${formatScore(judge.score)}`;
  const cast = votes > 1 ? ` (${votes_for} of ${votes} votes)` : '';
  const part = (name: string, text: string | null) => (text === null || text.trim() === '' ? null : `${name}: ${text}`);
  return {
    text: {
      parts: [
        { text: each.shown_by || `line ${each.line}`, tone: 'bold' },
        `people: ${word(human.passed)} · judge: ${word(judge.passed)}${score}${cast}`,
      ],
      separator: '  ',
    },
    below: toned('dim', [
      part('task', task),
      part('answer', response),
      part('judge', reasoning && criterion !== null ? `${criterion}: ${reasoning}` : reasoning),
    ]),
  };
}
