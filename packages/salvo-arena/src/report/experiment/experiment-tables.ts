import { type Block, figure, type Tone, table } from 'salvo/kit/report';
import {
  formatCount,
  formatInterval,
  formatP,
  formatPercent,
  formatPoints,
  formatPointsInterval,
  signedTwoDigits,
  twoDigits,
  twoDigitsInterval,
} from 'salvo/kit/stats';
import type {
  BlueComparison,
  ExperimentResults,
  GameMetrics,
  GroupRecall,
} from '../../experiment/results/experiment-results.ts';
import { teamLabels } from './team-labels.ts';

const MOST_ROWS = 40;
/** From this width on, whole names of cells fit. */
const USUAL_WIDTH = 80;
/** For names in Markdown and LaTeX, which have any width. */
const WIDEST_NAME = 60;

interface MetricsRow {
  name: string;
  metrics: GameMetrics;
  tone?: Tone;
}

/**
 * A line for each Blue, for each dimension by itself, and for every cell of the matrix. If a Blue looked at the clean
 * twin, both precisions have a column. F1 is by the twin if all Blues did.
 */
export function metricsTable(results: ExperimentResults, width: number, notes: readonly string[]): Block {
  const { blues, overall, experiment, precision_used, beta } = results;
  const hasUnresolved = blues.some(({ by_twin }) => by_twin?.unresolved);
  const hasTwin = blues.some(({ by_twin }) => by_twin !== null);
  const isByTwin = precision_used === 'twin';
  const f1 = ({ by_twin, average }: GameMetrics) => (isByTwin && by_twin ? by_twin.f1 : average.f1);
  const team = teamLabels(
    [...experiment.plan.blue, ...experiment.plan.red],
    width === Number.POSITIVE_INFINITY ? WIDEST_NAME : width >= USUAL_WIDTH ? 18 : 12,
  );
  const heads: MetricsRow[] = [
    ...blues.map((metrics) => ({ name: team(metrics.blue), metrics, tone: 'bold' as const })),
    ...(blues.length > 1 ? [{ name: 'all Blues', metrics: overall, tone: 'dim' as const }] : []),
  ];
  const min = width >= USUAL_WIDTH ? 42 : 22;
  return table(
    [...heads, ...detailedMetrics(results, team)],
    [
      { header: '', priority: 9, min, cell: ({ name: text, tone }) => ({ text, tone }) },
      figure('Games', 2, ({ metrics }) => formatCount(metrics.games)),
      figure('Recall', 9, ({ metrics }) => formatPercent(metrics.pooled.recall.value)),
      figure('95% CI', 7, ({ metrics }) => formatInterval(metrics.pooled.recall.interval)),
      hasTwin && figure('Prec. by twin', 6, ({ metrics }) => formatPercent(metrics.by_twin?.precision.value ?? null)),
      hasTwin &&
        figure('95% CI', 0, ({ metrics }) => formatInterval(metrics.by_twin?.precision.interval ?? null), 'print'),
      hasUnresolved &&
        figure('Unresolved out', 6, ({ metrics }) =>
          formatPercent(metrics.by_twin?.precision_without_unresolved.value ?? null),
        ),
      figure(hasTwin ? 'Classic' : 'Precision', 5, ({ metrics }) => formatPercent(metrics.pooled.precision.value)),
      figure('95% CI', 0, ({ metrics }) => formatInterval(metrics.pooled.precision.interval), 'print'),
      figure(isByTwin ? 'F1 by twin' : 'Mean F1', 8, ({ metrics }) => twoDigits(f1(metrics).value)),
      figure('95% CI', 1, ({ metrics }) => twoDigitsInterval(f1(metrics).interval)),
      beta !== 1 && figure(`F${beta}`, 7, ({ metrics }) => twoDigits(metrics.f_beta.value)),
      figure('Consequences', 0, ({ metrics }) => formatCount(metrics.consequences), 'print'),
      figure('Clean flagged', 3, ({ metrics }) => formatPercent(metrics.false_positive_rate.value)),
      figure('95% CI', 0, ({ metrics }) => formatInterval(metrics.false_positive_rate.interval), 'print'),
      figure('J', 4, ({ metrics }) => twoDigits(metrics.youden_j.value)),
    ],
    {
      most: heads.length + MOST_ROWS,
      caption: { label: 'metrics', text: [`${experiment.name}: Blue Teams.`, ...notes].join(' ') },
    },
  );
}

/**
 * The rows below the Blues: dimensions when several vary (otherwise cells say the same), then cells when there are more
 * of them than Blues. Their names have only what differs.
 */
function detailedMetrics(
  { blues, dimensions, cells, experiment: { plan } }: ExperimentResults,
  team: (name: string) => string,
): MetricsRow[] {
  const varied = new Set(dimensions.map(({ dimension }) => dimension)).size;
  const isVaried = (values: readonly string[]) => values.length > 1;
  const named = (metrics: GameMetrics, parts: readonly (string | false)[]) => ({
    metrics,
    name: parts.filter((part) => part !== false && part !== '').join(' · '),
  });
  return [
    ...(varied > 1 ? dimensions : []).map((metrics) =>
      named(metrics, [
        isVaried(plan.blue) && team(metrics.blue),
        metrics.dimension === 'red' ? team(metrics.value) : metrics.value,
      ]),
    ),
    ...(cells.length > blues.length ? cells : []).map((cell) =>
      named(cell, [
        isVaried(plan.red) && team(cell.red),
        isVaried(plan.blue) && team(cell.blue),
        isVaried(plan.difficulty) && cell.difficulty,
        isVaried(plan.language) && cell.language,
        isVaried(plan.strategy) && cell.strategy,
      ]),
    ),
  ];
}

/** Blues in pairs, on the same code. */
export function comparisonTable(
  { comparisons, experiment }: ExperimentResults,
  width: number,
  notes: readonly string[],
): Block {
  const room = width === Number.POSITIVE_INFINITY ? WIDEST_NAME : width >= USUAL_WIDTH ? 16 : 9;
  const team = teamLabels(experiment.plan.blue, room);
  const star = ({ precision_used }: BlueComparison) => (precision_used === 'twin' ? '' : '*');
  return table(
    comparisons,
    [
      {
        header: 'Compared',
        priority: 10,
        min: 2 * room + 3,
        cell: ({ first, second, mcnemar_p_holm: p }) => ({
          text: `${team(first)} – ${team(second)}`,
          tone: p < 0.05 ? 'bold' : undefined,
        }),
      },
      figure('Games', 2, ({ games }) => formatCount(games)),
      figure('Both found', 0, ({ both }) => formatCount(both), 'print'),
      figure('Only one found', 6, ({ only_first: a, only_second: b }) => `${formatCount(a)} : ${formatCount(b)}`),
      figure('Neither', 0, ({ neither }) => formatCount(neither), 'print'),
      figure('Recall +/-', 9, ({ risk_difference: difference }) => formatPoints(difference.value)),
      figure('95% CI', 4, ({ risk_difference: difference }) => formatPointsInterval(difference.interval)),
      figure('Odds', 1, ({ odds_ratio }) => twoDigits(odds_ratio)),
      figure('p', 8, ({ mcnemar_p_holm: p }) => formatP(p)),
      figure('Precision +/-', 5, (pair) => `${formatPoints(pair.precision_difference.value)}${star(pair)}`),
      figure('95% CI', 0, (pair) => formatPointsInterval(pair.precision_difference.interval), 'print'),
      figure('F1 +/-', 5, (pair) => `${signedTwoDigits(pair.f1_difference.value)}${star(pair)}`),
      figure('95% CI', 0, ({ f1_difference: difference }) => twoDigitsInterval(difference.interval), 'print'),
      figure('d', 3, ({ f1_effect_size }) => twoDigits(f1_effect_size)),
      figure('p (F1)', 7, ({ permutation_p_holm: p }) => formatP(p)),
    ],
    {
      most: MOST_ROWS,
      caption: { label: 'pairs', text: [`${experiment.name}: Blue Teams on the same code.`, ...notes].join(' ') },
    },
  );
}

/** Categories or techniques, with what each Blue found of them: a terminal has them as a matrix. */
export function recallTable(subject: string, recalls: readonly GroupRecall[], name: string): Block {
  return table(
    recalls,
    [
      { header: subject, cell: ({ group }) => group },
      { header: 'Blue', cell: ({ blue }) => blue },
      figure('Vulnerabilities', 0, ({ vulnerabilities }) => formatCount(vulnerabilities)),
      figure('Found', 0, ({ found }) => formatCount(found)),
      figure('Recall', 0, ({ recall }) => formatPercent(recall.value)),
      figure('95% CI', 0, ({ recall }) => formatInterval(recall.interval)),
    ],
    {
      only: 'print',
      caption: {
        label: subject.toLowerCase(),
        text: `${name}: recall by ${subject.toLowerCase()}, with 95% intervals.`,
      },
    },
  );
}
