import type { Scorecard, ScorecardRow } from '../../arena/experiment/results/scorecard.ts';
import { markdownTable } from '../markdown-table.ts';
import { markdownText } from '../markdown-text.ts';
import { joinBlocks } from '../terminal/join-blocks.ts';
import { percentCell } from './experiment-markdown.ts';
import { experimentState } from './experiment-report.ts';
import { numberInterval, twoDigits } from './experiment-tables.ts';

/** GitHub-flavoured Markdown of how a scanner does. */
export function renderScorecardMarkdown(card: Scorecard): string {
  const { experiment, score, categories, difficulties, overall, errors } = card;
  const rows = [
    ...categories.map((row) => rowOf(row.category, row)),
    ...difficulties.map((row) => rowOf(row.difficulty, row)),
    ...(overall.pairs > 0 ? [rowOf('all', overall)] : []),
  ];
  const blocks = [
    [`## ${markdownText(experiment.name, 200)}`],
    experimentState(card).map((line) => `${markdownText(line)}  `),
    errors.map((error) => `- ${markdownText(error, 300)}`),
    [
      score.value === null
        ? 'No pair of games could be scored.'
        : `**Score ${twoDigits(score.value)}** (${numberInterval(score)}): the mean J over the categories.`,
    ],
    markdownTable(['', 'Pairs', 'Recall', 'False positives', 'J'], rows),
  ];
  return joinBlocks(blocks);
}

function rowOf(name: string, row: ScorecardRow): string[] {
  return [
    markdownText(name, 100),
    String(row.pairs),
    percentCell(row.recall),
    percentCell(row.false_positive_rate),
    `${twoDigits(row.youden_j.value)} (${numberInterval(row.youden_j)})`,
  ];
}
