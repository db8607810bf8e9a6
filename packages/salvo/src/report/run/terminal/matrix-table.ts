import type { MatrixModel, RunMatrix } from '../../../run/compare/run-matrix.ts';
import { candidateLabels, scenarioKey } from '../../../run/record/candidate-labels.ts';
import { formatInterval, formatLatency, formatMoney, formatPercent, MISSING } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { isChange } from '../../compare/compare-words.ts';
import { markdownTable, markdownText } from '../../markdown-text.ts';
import type { Style } from '../../terminal/style.ts';
import { type Cell, type Column, renderTable } from '../../terminal/table.ts';
import { wrap } from '../../terminal/wrap.ts';
import type { ReportedScenario } from '../run-report.ts';
import { verdictSymbol, verdictTone } from '../verdict.ts';
import { comparisonWords, luckNote, matrixSentences, overallWords } from '../words/matrix-words.ts';
import { intervalText } from '../words/run-notes.ts';

/** A scenario with one model, or a model over all scenarios. */
interface Row extends Pick<MatrixModel, 'verdict' | 'trials_scored' | 'trials_passed'> {
  scenario: string;
  /** Whether it is the first row of its scenario. */
  isFirst: boolean;
  model: string;
  rate: number | null;
  interval: string;
  /** Per trial. */
  cost: string;
  latency: number | null;
  /** Against the first model; empty for the first itself. */
  versus: string;
  tone: 'better' | 'worse' | 'open';
}

/** All models of a scenario, then those of the next, and at the end each model over all scenarios. */
function matrixRows(matrix: RunMatrix, scenarios: readonly ReportedScenario[]): Row[] {
  const labels = candidateLabels(scenarios);
  const labelled = scenarios.map((scenario, index) => ({ ...scenario, label: labels[index] ?? '' }));
  const groups = [...Map.groupBy(labelled, scenarioKey).values()];
  const compared = Map.groupBy(matrix.comparisons, ({ model }) => model);
  const rows = groups.flatMap((group) =>
    group.map((each, index): Row => {
      const isOf = scenarioKey(each);
      const comparison = compared.get(each.label)?.find((other) => scenarioKey(other) === isOf);
      const conclusion = comparison?.conclusion;
      return {
        ...each,
        scenario: each.name,
        isFirst: index === 0,
        model: each.verdict === 'SKIPPED' ? 'skipped' : each.label,
        rate: each.pass_rate,
        interval: intervalText(each),
        cost: each.trials_total === 0 ? MISSING : formatMoney(each.cost_per_trial_usd),
        latency: each.latency_p50,
        versus: comparison ? comparisonWords(comparison) : '',
        tone: isChange(conclusion) ? conclusion : 'open',
      };
    }),
  );
  return groups.length < 2 ? rows : [...rows, ...matrix.models.map(overallRow)];
}

function overallRow(model: MatrixModel, index: number): Row {
  const { overall, together } = model;
  const conclusion = together?.conclusion;
  return {
    ...model,
    scenario: `all scenarios (${model.scenarios})`,
    isFirst: index === 0,
    model: model.label,
    rate: overall.pass_rate,
    interval: formatInterval(overall.pass_rate_ci),
    cost: formatMoney(model.cost_per_trial_usd),
    latency: model.latency_p50,
    versus: overallWords(model),
    tone: isChange(conclusion) ? conclusion : 'open',
  };
}

/** A longer name of the first model is left out of the header. */
const LONGEST_BASE = 16;

type Key = 'symbol' | 'model' | 'passed' | 'rate' | 'interval' | 'cost' | 'latency' | 'versus';

/** The models of a run for the terminal: scenario by model, then a sentence about each model. */
export function renderMatrix(options: {
  matrix: RunMatrix;
  scenarios: readonly ReportedScenario[];
  width: number;
  style: Style;
}): string[][] {
  const { matrix, scenarios, width, style } = options;
  const columns: readonly Column<Key>[] = [
    { key: 'symbol', header: '', priority: 9 },
    { key: 'model', header: 'Model', priority: 10, min: 16 },
    { key: 'passed', header: 'Passed', align: 'right', priority: 3 },
    { key: 'rate', header: 'Rate', align: 'right', priority: 8 },
    { key: 'interval', header: '95% CI', align: 'right', priority: 6 },
    { key: 'cost', header: '$/trial', align: 'right', priority: 5 },
    { key: 'latency', header: 'p50', align: 'right', priority: 4 },
    {
      key: 'versus',
      header: matrix.base.length > LONGEST_BASE ? 'vs the first' : `vs ${safeLine(matrix.base)}`,
      priority: 7,
    },
  ];
  const paints = { better: style.green, worse: style.red, open: style.dim };
  const rows = matrixRows(matrix, scenarios);
  const cells = rows.map((row): Record<Key, Cell> => {
    const paint = style[verdictTone(row.verdict)];
    return {
      symbol: { text: verdictSymbol(row.verdict), paint },
      model: { text: safeLine(row.model, 60) },
      passed: { text: row.trials_scored === 0 ? MISSING : `${row.trials_passed}/${row.trials_scored}` },
      rate: { text: formatPercent(row.rate), paint },
      interval: { text: row.interval, paint: style.dim },
      cost: { text: row.cost },
      latency: { text: formatLatency(row.trials_scored, [row.latency]) },
      versus: { text: row.versus, paint: paints[row.tone] },
    };
  });
  const table = renderTable({ columns, rows: cells, width, style });
  // The name of a scenario has a line of its own, so that the names of models have room.
  const lines = rows.flatMap((row, index) => [
    ...(row.isFirst ? wrap(safeLine(row.scenario), width).map(style.bold) : []),
    ...(table.rows[index] ?? []),
  ]);
  return [
    [...table.header, ...lines],
    [
      ...matrixSentences(matrix).flatMap((sentence) => wrap(sentence, width)),
      ...wrap(luckNote(matrix), width).map(style.dim),
    ],
  ];
}

/** The same in Markdown: the rows of a table, and the sentences below it. */
export function matrixMarkdown(
  matrix: RunMatrix,
  scenarios: readonly ReportedScenario[],
  icons: Readonly<Record<Row['verdict'], string>>,
): { table: string[]; sentences: string[] } {
  const header = ['', 'Scenario', 'Model', 'Passed', 'Rate', '95% interval', 'Cost per trial', 'Latency p50'];
  const rows = matrixRows(matrix, scenarios).map((row) => [
    icons[row.verdict],
    markdownText(row.scenario, 200),
    markdownText(row.model, 200),
    row.trials_scored === 0 ? MISSING : `${row.trials_passed}/${row.trials_scored}`,
    formatPercent(row.rate),
    row.interval,
    row.cost,
    formatLatency(row.trials_scored, [row.latency]),
    row.tone === 'open' ? row.versus : `**${row.versus}**`,
  ]);
  return {
    table: markdownTable([...header, `vs ${markdownText(matrix.base, 60)}`], rows, 'lllrrrrrl'),
    sentences: [...matrixSentences(matrix), luckNote(matrix)].map((sentence) => markdownText(sentence)),
  };
}
