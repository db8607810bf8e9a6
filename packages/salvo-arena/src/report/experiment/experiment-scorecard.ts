import {
  type Canvas,
  type Cell,
  type Column,
  fewLines,
  joinBlocks,
  type Look,
  markdownTable,
  markdownText,
  renderFor,
  renderTable,
  type Style,
  wrap,
} from 'salvo/kit/report';
import { formatCount, formatInterval, formatPercent, formatPlural, oneDigit, twoDigits } from 'salvo/kit/stats';
import { safeLine } from 'salvo/kit/text';
import type { Scorecard, ScorecardRow, ScorecardTotal } from '../../experiment/results/scorecard.ts';
import { percentCell } from './experiment-markdown.ts';
import { experimentState } from './experiment-report.ts';
import { numberInterval } from './experiment-tables.ts';

type Key =
  | 'name'
  | 'flaws'
  | 'recall'
  | 'recallInterval'
  | 'flagged'
  | 'flaggedInterval'
  | 'alarms'
  | 'youden'
  | 'youdenInterval';

const COLUMNS: readonly Column<Key>[] = [
  { key: 'name', header: '', priority: 8, min: 12 },
  { key: 'flaws', header: 'Flaws', align: 'right', priority: 4 },
  { key: 'recall', header: 'Recall', align: 'right', priority: 6 },
  { key: 'recallInterval', header: '95% CI', align: 'right', priority: 2 },
  { key: 'flagged', header: 'Clean flagged', align: 'right', priority: 6 },
  { key: 'flaggedInterval', header: '95% CI', align: 'right', priority: 1 },
  { key: 'alarms', header: 'Alarms/100', align: 'right', priority: 5 },
  { key: 'youden', header: 'J', align: 'right', priority: 7 },
  { key: 'youdenInterval', header: '95% CI', align: 'right', priority: 3 },
];

/** How a scanner does: by category, by difficulty, and as one score. */
export function renderScorecard(card: Scorecard, look: Look): string {
  return renderFor(look, (canvas) => scorecardBlocks(card, canvas), { narrowest: 40 });
}

function scorecardBlocks(card: Scorecard, { width, style }: Canvas): string {
  const rows = [
    ...card.categories.map((row) => scorecardRow(safeLine(row.category, 200), row)),
    ...card.difficulties.map((row) => scorecardRow(row.difficulty, row, style.cyan)),
    ...severalLanguages(card).map((row) => scorecardRow(row.language, row, style.cyan)),
    ...(card.overall.flaws > 0 ? [scorecardRow('all', card.overall, style.bold)] : []),
  ];
  return joinBlocks([
    [
      ...wrap(safeLine(card.experiment.name), width).map(style.bold),
      ...experimentState(card).flatMap((line) => wrap(line, width)),
    ],
    card.errors.flatMap((error) => fewLines(`✖ ${error}`, width)).map(style.red),
    rows.length === 0 ? [] : renderTable({ columns: COLUMNS, rows, width, style }).lines,
    scoreLines(card, style).flatMap((line) => wrap(line, width)),
  ]);
}

/** One language is the same as all. */
function severalLanguages({ languages }: Scorecard): Scorecard['languages'] {
  return languages.length > 1 ? languages : [];
}

/** Empty for a category: alarms without a category would be counted several times. */
function alarmsText(row: ScorecardRow | ScorecardTotal): string {
  return 'alarms_per_100_resources' in row ? oneDigit(row.alarms_per_100_resources) : '';
}

function scorecardRow(
  name: string,
  row: ScorecardRow | ScorecardTotal,
  paint?: (text: string) => string,
): Record<Key, Cell> {
  return {
    name: { text: name, ...(paint ? { paint } : {}) },
    flaws: { text: formatCount(row.flaws) },
    recall: { text: formatPercent(row.recall.value) },
    recallInterval: { text: formatInterval(row.recall.interval) },
    flagged: { text: formatPercent(row.false_positive_rate.value) },
    flaggedInterval: { text: formatInterval(row.false_positive_rate.interval) },
    alarms: { text: alarmsText(row) },
    youden: { text: twoDigits(row.youden_j.value) },
    youdenInterval: { text: numberInterval(row.youden_j) },
  };
}

function scoreLines({ score, categories, overall }: Scorecard, style: Style): string[] {
  if (score.value === null) return ['No game could be scored.'];
  const interval = score.interval === null ? '' : ` (95% CI ${numberInterval(score)})`;
  return [
    style.bold(
      `Score ${twoDigits(score.value)}${interval}: the mean J of ${formatPlural(categories.length, 'category')}`,
    ),
    `${formatPlural(overall.flaws, 'flaw')}, and ${formatPlural(overall.resources, 'resource')} of the same code without them, which had ${formatPlural(overall.alarms, 'alarm')}. A finding that is in both is no detection. J is recall minus the share of clean resources that are flagged: 1 is perfect, 0 is as good as silence. Alarms/100: alarms per 100 clean resources. Intervals: 95%, over tasks.`,
  ];
}

/** GitHub-flavoured Markdown of how a scanner does. */
export function renderScorecardMarkdown(card: Scorecard): string {
  const { experiment, score, categories, difficulties, overall, errors } = card;
  const rows = [
    ...categories.map((row) => markdownRow(row.category, row)),
    ...difficulties.map((row) => markdownRow(row.difficulty, row)),
    ...severalLanguages(card).map((row) => markdownRow(row.language, row)),
    ...(overall.flaws > 0 ? [markdownRow('all', overall)] : []),
  ];
  const blocks = [
    [`## ${markdownText(experiment.name, 200)}`],
    experimentState(card).map((line) => `${markdownText(line)}  `),
    errors.map((error) => `- ${markdownText(error, 300)}`),
    [
      score.value === null
        ? 'No game could be scored.'
        : `**Score ${twoDigits(score.value)}** (${numberInterval(score)}): the mean J over the categories.`,
    ],
    markdownTable(['', 'Flaws', 'Recall', 'Clean flagged', 'Alarms per 100', 'J'], rows),
  ];
  return joinBlocks(blocks);
}

function markdownRow(name: string, row: ScorecardRow | ScorecardTotal): string[] {
  return [
    markdownText(name, 100),
    String(row.flaws),
    percentCell(row.recall),
    percentCell(row.false_positive_rate),
    alarmsText(row),
    `${twoDigits(row.youden_j.value)} (${numberInterval(row.youden_j)})`,
  ];
}
