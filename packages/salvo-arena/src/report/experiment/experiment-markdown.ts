import { joinBlocks, markdownTable, markdownText } from 'salvo/kit/report';
import { formatInterval, formatP, formatPercent, formatPlural, MISSING, twoDigits } from 'salvo/kit/stats';
import type {
  ExperimentResults,
  GameMetrics,
  GroupRecall,
  RateEstimate,
} from '../../experiment/results/experiment-results.ts';
import { experimentState, precisionNote } from './experiment-report.ts';
import { detailedMetrics, metricsRowNames, numberInterval, usedF1 } from './experiment-tables.ts';

const MOST_ROWS = 500;
const NAME_WIDTH = 60;

/** GitHub-flavoured Markdown of an experiment. */
export function renderExperimentMarkdown(results: ExperimentResults): string {
  const { experiment, blues, comparisons, categories, techniques } = results;
  const blocks = [
    [`## ${markdownText(experiment.name, 200)}`],
    experimentState(results).map((line) => `${markdownText(line)}  `),
    results.games.scored > 0 ? [precisionNote(results)] : [],
    metricsTable(
      blues.map((metrics) => ({ name: metrics.blue, metrics })),
      results,
    ),
    metricsTable(detailedMetrics(results, metricsRowNames(results, NAME_WIDTH)).slice(0, MOST_ROWS), results),
    comparisonTable(comparisons.slice(0, MOST_ROWS)),
    recallTable('Category', categories),
    recallTable('Technique', techniques),
    failedList(results),
  ];
  return joinBlocks(blocks);
}

function metricsTable(rows: { name: string; metrics: GameMetrics }[], { precision_used: used }: ExperimentResults) {
  const f1 = used === 'twin' ? 'F1 by twin' : 'Mean F1';
  return markdownTable(
    ['Blue', 'Games', 'Recall', 'Precision by twin', 'Precision, classic', f1, 'Consequences', 'Clean flagged', 'J'],
    rows.map(({ name, metrics }) => {
      const { games, pooled, by_twin, consequences, false_positive_rate, youden_j } = metrics;
      return [
        markdownText(name, 100),
        String(games),
        percentCell(pooled.recall),
        by_twin ? percentCell(by_twin.precision) : MISSING,
        percentCell(pooled.precision),
        `${twoDigits(usedF1(metrics, used).value)} (${numberInterval(usedF1(metrics, used))})`,
        String(consequences),
        percentCell(false_positive_rate),
        twoDigits(youden_j.value),
      ];
    }),
  );
}

function comparisonTable(comparisons: ExperimentResults['comparisons']): string[] {
  return markdownTable(
    [
      'Compared',
      'Games',
      'Both',
      'Only first',
      'Only second',
      'Neither',
      'Recall difference',
      'p',
      'Precision used',
      'Precision difference',
      'F1 difference',
      'd',
      'p (F1)',
    ],
    comparisons.map((pair) => [
      `${markdownText(pair.first, 100)} – ${markdownText(pair.second, 100)}`,
      ...[pair.games, pair.both, pair.only_first, pair.only_second, pair.neither].map(String),
      `${twoDigits(pair.risk_difference.value)} (${numberInterval(pair.risk_difference)})`,
      pCell(pair.mcnemar_p_holm),
      pair.precision_used,
      `${twoDigits(pair.precision_difference.value)} (${numberInterval(pair.precision_difference)})`,
      `${twoDigits(pair.f1_difference.value)} (${numberInterval(pair.f1_difference)})`,
      twoDigits(pair.f1_effect_size),
      pCell(pair.permutation_p_holm),
    ]),
  );
}

function recallTable(name: string, recalls: readonly GroupRecall[]): string[] {
  return markdownTable(
    [name, 'Blue', 'Vulnerabilities', 'Found', 'Recall'],
    recalls.map(({ group, blue, vulnerabilities, found, recall }) => [
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

function pCell(p: number | null): string {
  return formatP(p).replace('<', '&lt;');
}

export function percentCell(rate: RateEstimate): string {
  return rate.interval === null
    ? formatPercent(rate.value)
    : `${formatPercent(rate.value)} (${formatInterval(rate.interval)})`;
}
