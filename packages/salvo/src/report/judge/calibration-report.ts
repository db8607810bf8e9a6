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
  type ColumnOf,
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

const SYMBOLS: Record<CalibrationVerdict, string> = {
  usable: '✔',
  weak: '◐',
  'too few labels': '◌',
  'no better than chance': '✖',
};
const TONES: Record<CalibrationVerdict, Tone> = {
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
    table(rows, verdictColumns(criteria.length)),
    table(hasScores ? rows : [], scoreColumns(criteria.length)),
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
    : [{ text: `${SYMBOLS[verdict]} ${verdict}`, tone: TONES[verdict] }, report.reason];
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

function nameColumn(header: string, criteria: number): ColumnOf<Row> {
  const cell = ({ name: text }: Row, index: number): Text => (index === criteria ? { text, tone: 'bold' } : text);
  return { header, priority: 9, min: 10, cell };
}

function verdictColumns(criteria: number): ColumnOf<Row>[] {
  const toneOf = ({ n, verdict }: Row) => (n === 0 ? 'dim' : TONES[verdict]);
  return [
    {
      header: '',
      priority: 7,
      cell: (each) => ({ text: each.n === 0 ? '·' : SYMBOLS[each.verdict], tone: toneOf(each) }),
    },
    nameColumn('Verdict', criteria),
    figure('Items', 3, ({ n }) => formatCount(n)),
    figure('Agree', 5, ({ agreement }) => formatPercent(agreement)),
    {
      ...figure<Row>('Kappa', 6, (each) => ({ text: twoDigits(each.kappa), tone: toneOf(each) })),
      meaning: 'Kappa: agreement on pass or fail beyond chance; 1 is perfect agreement, 0 is chance.',
    },
    figure('95% CI', 4, ({ kappa_ci: interval }) => ({
      text: interval ? `${twoDigits(interval[0])} to ${twoDigits(interval[1])}` : MISSING,
      tone: 'dim',
    })),
    {
      ...figure<Row>('Sensitivity', 2, ({ sensitivity }) => rateWords(sensitivity)),
      meaning: 'Sensitivity: of what people passed, how much it passed.',
    },
    {
      ...figure<Row>('Specificity', 1, ({ specificity }) => rateWords(specificity)),
      meaning: 'Specificity: of what people failed, how much it failed.',
    },
  ];
}

function scoreColumns(criteria: number): ColumnOf<Row>[] {
  const column = (header: string, priority: number, cell: (row: Row) => string, meaning?: string) => ({
    ...figure(header, priority, cell),
    meaning,
  });
  return [
    nameColumn('Scores', criteria),
    column('Rho', 5, ({ spearman }) => twoDigits(spearman), 'Rho: whether it ranks the items as people do (Spearman).'),
    column('Tau', 1, ({ kendall }) => twoDigits(kendall), 'Tau: the same by pairs of items (Kendall).'),
    column('Error', 7, ({ mean_error }) => signedTwoDigits(mean_error), 'Error: its scores minus those of people.'),
    column('|Error|', 3, ({ mean_absolute_error }) => twoDigits(mean_absolute_error)),
    column(
      'Flips',
      8,
      ({ vote_flip_rate }) => formatPercent(vote_flip_rate),
      'Flips: how often two of its votes on one item differ.',
    ),
    // Empty unless items were judged repeatedly: then the column is left out.
    column(
      'Again',
      2,
      ({ repeat_flip_rate: rate }) => (rate === null ? '' : formatPercent(rate)),
      'Again: how often the verdict of all votes differs when judged again.',
    ),
    column(
      'Best at',
      6,
      ({ best_threshold: best }) =>
        best ? `${Number(best.threshold.toFixed(3))} (${twoDigits(best.kappa)})` : MISSING,
      'Best at: the threshold that agrees best, and its kappa.',
    ),
    column('Votes', 4, votesWords, 'Votes: how many make the verdict stable.'),
  ];
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
