import type { ExperimentResults, GroupShare } from '../arena/experiment/experiment-results.ts';
import type { Figures, Rate } from '../arena/experiment/figures.ts';
import { experimentState } from './experiment-report.ts';
import { cellName, numberInterval, pValue, twoDigits } from './experiment-tables.ts';
import { formatInterval, formatPercent, formatPlural } from './format.ts';
import { markdownText } from './markdown-text.ts';

const MOST_ROWS = 500;

/** GitHub-flavoured Markdown of an experiment. */
export function renderExperimentMarkdown(results: ExperimentResults): string {
  const { experiment, blues, cells, comparisons, categories, techniques } = results;
  const blocks = [
    [`## ${markdownText(experiment.name, 200)}`],
    experimentState(results).map((line) => `${markdownText(line)}  `),
    figureTable(blues.map((figures) => ({ name: figures.blue, figures }))),
    cells.length > blues.length
      ? figureTable(cells.map((cell) => ({ name: cellName(cell, results), figures: cell })))
      : [],
    comparisonTable(comparisons),
    shareTable('Category', categories),
    shareTable('Technique', techniques),
    failedList(results),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function figureTable(rows: { name: string; figures: Figures }[]): string[] {
  return tableOf(
    ['Blue', 'Games', 'Recall', 'Precision', 'Mean F1', 'Clean flagged', 'J'],
    rows.map(({ name, figures: { games, pooled, average, false_positive_rate, youden_j } }) => [
      markdownText(name, 100),
      String(games),
      percentCell(pooled.recall),
      percentCell(pooled.precision),
      `${twoDigits(average.f1.value)} (${numberInterval(average.f1)})`,
      percentCell(false_positive_rate),
      twoDigits(youden_j.value),
    ]),
  );
}

function comparisonTable(comparisons: ExperimentResults['comparisons']): string[] {
  return tableOf(
    [
      'Compared',
      'Games',
      'Both',
      'Only first',
      'Only second',
      'Neither',
      'Recall difference',
      'p',
      'F1 difference',
      'd',
      'p (F1)',
    ],
    comparisons.map((pair) => [
      `${markdownText(pair.first, 100)} – ${markdownText(pair.second, 100)}`,
      ...[pair.games, pair.both, pair.only_first, pair.only_second, pair.neither].map(String),
      `${twoDigits(pair.risk_difference.value)} (${numberInterval(pair.risk_difference)})`,
      markdownText(pValue(pair.mcnemar_p_holm)),
      `${twoDigits(pair.f1_difference.value)} (${numberInterval(pair.f1_difference)})`,
      twoDigits(pair.f1_effect_size),
      markdownText(pValue(pair.permutation_p_holm)),
    ]),
  );
}

function shareTable(name: string, shares: readonly GroupShare[]): string[] {
  return tableOf(
    [name, 'Blue', 'Vulnerabilities', 'Found', 'Recall'],
    shares.map(({ group, blue, vulnerabilities, found, recall }) => [
      markdownText(group, 100),
      markdownText(blue, 100),
      String(vulnerabilities),
      String(found),
      percentCell(recall),
    ]),
  );
}

function failedList({ failed, games }: ExperimentResults): string[] {
  if (games.failed === 0) return [];
  const lines = failed
    .slice(0, MOST_ROWS)
    .map(({ game_id, failed_stage, error }) => `- ${markdownText(`${game_id}, ${failed_stage}: ${error}`, 300)}`);
  return [
    '<details>',
    `<summary>${formatPlural(games.failed, 'game')} failed</summary>`,
    '',
    ...lines,
    '',
    '</details>',
  ];
}

function percentCell(rate: Rate): string {
  return rate.interval === null
    ? formatPercent(rate.value)
    : `${formatPercent(rate.value)} (${formatInterval(rate.interval)})`;
}

function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(header), line(rule), ...rows.slice(0, MOST_ROWS).map(line)];
}
