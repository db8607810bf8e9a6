import { formatP, MISSING, twoDigits } from 'salvo/kit/stats';
import type {
  ExperimentResults,
  GameMetrics,
  PrecisionUsed,
  RateEstimate,
} from '../../experiment/results/experiment-results.ts';
import { latexText } from '../latex-text.ts';
import { usedF1 } from './experiment-tables.ts';

/** The same dash as elsewhere. */
const MISSING_IN_LATEX = latexText(MISSING);

/** Tables for a paper, with no package needed: metrics of Blues and cells, comparisons, categories. */
export function renderExperimentLatex(results: ExperimentResults): string {
  const { experiment, games, clustered_by } = results;
  const clusters = clustered_by === 'task' ? 'tasks' : 'pieces of code';
  const head = [
    `% Salvo ${latexText(experiment.salvo_version)}, experiment ${latexText(experiment.experiment_id)}`,
    `% ${games.scored} of ${games.planned} games scored, ${games.failed} failed, ${games.missing} not played, seed ${experiment.plan.seed}`,
  ];
  const intervals = `95\\% intervals over ${clusters}.`;
  const name = latexText(experiment.name, 200);
  const used = results.precision_used;
  const byTwin = used === 'twin' ? ', by the clean twin' : '';
  const tables = [
    table({
      caption: `${name}: Blue Teams. Recall and precision are pooled, F1 is the mean over games${byTwin}. $P_t$: precision by the clean twin, $P_c$: classic precision. ${intervals}`,
      label: 'blues',
      columns: ['Blue', 'Games', 'Recall', '$P_t$', '$P_c$', 'F1', 'J'],
      rows: results.blues.map(({ blue, ...metrics }) => [latexText(blue, 80), ...metricsCells(metrics, used)]),
    }),
    table({
      caption: `${name}: all cells. ${intervals}`,
      label: 'cells',
      columns: ['Red', 'Blue', 'Difficulty', 'Language', 'Strategy', 'Games', 'Recall', '$P_t$', '$P_c$', 'F1', 'J'],
      rows: results.cells.map(({ red, blue, difficulty, language, strategy, ...metrics }) => [
        ...[red, blue, difficulty, language, strategy].map((text) => latexText(text, 80)),
        ...metricsCells(metrics, used),
      ]),
    }),
    table({
      caption: `${name}: Blue Teams on the same code. $b$ and $c$: vulnerabilities that only the first or only the second found. The permutation test swaps whole ${clusters}. $p$ values are corrected for all pairs (Holm). Precision and F1 of a pair are by the clean twin, or classic ($c$) if one of the two did not look at it in all games. ${intervals}`,
      label: 'pairs',
      columns: [
        'First',
        'Second',
        '$b$',
        '$c$',
        'Recall difference',
        '$p$ (McNemar)',
        'Precision difference',
        'F1 difference',
        '$d_z$',
        '$p$ (permutation)',
      ],
      rows: results.comparisons.map((pair) => [
        latexText(pair.first, 80),
        latexText(pair.second, 80),
        String(pair.only_first),
        String(pair.only_second),
        rateCell(pair.risk_difference),
        pCell(pair.mcnemar_p_holm),
        `${rateCell(pair.precision_difference)}${pair.precision_used === 'twin' ? '' : ' $c$'}`,
        rateCell(pair.f1_difference),
        number(pair.f1_effect_size),
        pCell(pair.permutation_p_holm),
      ]),
    }),
    table({
      caption: `${name}: recall by category. ${intervals}`,
      label: 'categories',
      columns: ['Category', 'Blue', 'Vulnerabilities', 'Found', 'Recall'],
      rows: results.categories.map(({ group, blue, vulnerabilities, found, recall }) => [
        latexText(group, 80),
        latexText(blue, 80),
        String(vulnerabilities),
        String(found),
        rateCell(recall),
      ]),
    }),
  ];
  return `${[head.join('\n'), ...tables.filter((text) => text !== '')].join('\n\n')}\n`;
}

function table(parts: { caption: string; label: string; columns: string[]; rows: string[][] }): string {
  const { caption, label, columns, rows } = parts;
  if (rows.length === 0) return '';
  // Numbers are right-aligned, names left-aligned.
  const layout = columns.map((_, index) => (isNumber(rows[0]?.[index]) ? 'r' : 'l')).join('');
  const line = (cells: string[]) => `  ${cells.join(' & ')} \\\\`;
  return [
    '\\begin{table}',
    '\\centering',
    `\\caption{${caption}}`,
    `\\label{tab:salvo-${label}}`,
    `\\begin{tabular}{${layout}}`,
    '  \\hline',
    line(columns),
    '  \\hline',
    ...rows.map(line),
    '  \\hline',
    '\\end{tabular}',
    '\\end{table}',
  ].join('\n');
}

function isNumber(cell: string | undefined): boolean {
  return cell !== undefined && /^(?:\$|\d|---$)/.test(cell);
}

function metricsCells(metrics: GameMetrics, used: PrecisionUsed): string[] {
  const { games, pooled, by_twin, youden_j } = metrics;
  return [
    String(games),
    rateCell(pooled.recall),
    by_twin ? rateCell(by_twin.precision) : MISSING_IN_LATEX,
    rateCell(pooled.precision),
    rateCell(usedF1(metrics, used)),
    number(youden_j.value),
  ];
}

function rateCell({ value, interval }: RateEstimate): string {
  if (value === null) return MISSING_IN_LATEX;
  return interval === null
    ? number(value)
    : `${number(value)} $[${twoDigits(interval[0])}, ${twoDigits(interval[1])}]$`;
}

function number(value: number | null): string {
  return value === null || !Number.isFinite(value) ? MISSING_IN_LATEX : `$${twoDigits(value)}$`;
}

function pCell(p: number | null): string {
  const text = formatP(p);
  return text === MISSING ? MISSING_IN_LATEX : `$${text}$`;
}
