import type { ComparedScenario, RunComparison } from '../../run/compare/compare-runs.ts';
import type { Conclusion, TogetherComparison } from '../../run/compare/comparison.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { formatPercent, MISSING } from '../terminal/format.ts';
import { type Look, renderFor } from '../terminal/look.ts';
import type { Style } from '../terminal/style.ts';
import { type Cell, type Column, renderTable } from '../terminal/table.ts';
import { bullet, joinBlocks, wrap } from '../terminal/wrap.ts';
import {
  CONCLUSION_WORDS,
  overallSentence,
  points,
  runWords,
  scenarioLabels,
  togetherLabel,
  togetherSentence,
} from './compare-words.ts';
import { comparisonNotes } from './comparison-notes.ts';

type Key = 'symbol' | 'name' | 'base' | 'next' | 'change' | 'interval' | 'p' | 'conclusion';

const COLUMNS: readonly Column<Key>[] = [
  { key: 'symbol', header: '', priority: 9 },
  { key: 'name', header: 'Scenario', priority: 10, min: 16 },
  { key: 'base', header: 'Base', align: 'right', priority: 6 },
  { key: 'next', header: 'New', align: 'right', priority: 7 },
  { key: 'change', header: 'Points', align: 'right', priority: 8 },
  { key: 'interval', header: '95% CI', align: 'right', priority: 5 },
  { key: 'p', header: 'p (Holm)', align: 'right', priority: 4 },
  { key: 'conclusion', header: '', priority: 7.5 },
];

const SYMBOLS: Record<Conclusion, string> = {
  worse: '✖',
  better: '✔',
  no_evidence: '·',
  too_few_trials: '○',
  not_comparable: '◌',
};
const MOST_EXPLAINED = 20;

/** A comparison of two runs, for a terminal. */
export function renderComparison(comparison: RunComparison, look: Look): string {
  return renderFor(look, ({ width, style }) => {
    const { scenarios, together } = comparison;
    const labelOf = scenarioLabels(scenarios);
    const rows = [
      ...scenarios.map((each) => row(each, labelOf(each), style)),
      ...(together ? [togetherRow(together, style)] : []),
    ];
    const table = renderTable({ columns: COLUMNS, rows, width, style });
    const { common, explained, rest } = comparisonNotes(comparison);
    return joinBlocks([
      [
        ...wrap(`Base ${safeLine(runWords(comparison.base))}, new ${safeLine(runWords(comparison.next))}`, width),
        ...common.flatMap((text) => wrap(`In all scenarios, ${safeLine(text)}.`, width)),
      ],
      scenarios.length === 0 ? [] : table.lines,
      ...explained
        .slice(0, MOST_EXPLAINED)
        .map(({ scenario, sentence, remarks }) => entry(labelOf(scenario), sentence, remarks, { width, style })),
      rest.flatMap((sentence) => wrap(safeLine(sentence), width)),
      together ? entry(togetherLabel(together), togetherSentence(together), [], { width, style }) : [],
      wrap(overallSentence(comparison), width).map(paintOf(comparison.conclusion, style)),
    ]);
  });
}

function row(scenario: ComparedScenario, label: string, style: Style): Partial<Record<Key, Cell>> {
  const { base, next } = scenario;
  return cells({ ...scenario, base: base.pass_rate, next: next.pass_rate }, label, style);
}

function togetherRow(together: TogetherComparison, style: Style): Partial<Record<Key, Cell>> {
  const { base_pass_rate: base, next_pass_rate: next } = together;
  return cells({ ...together, base, next }, togetherLabel(together), style);
}

function cells(
  found: Pick<ComparedScenario, 'conclusion' | 'difference' | 'p_holm'> & { base: number | null; next: number | null },
  label: string,
  style: Style,
): Partial<Record<Key, Cell>> {
  const { conclusion, base, next, difference, p_holm } = found;
  const paint = paintOf(conclusion, style);
  const interval = difference?.interval;
  return {
    symbol: { text: SYMBOLS[conclusion], paint },
    name: { text: safeLine(label), paint: style.bold },
    base: { text: formatPercent(base) },
    next: { text: formatPercent(next) },
    change: { text: difference ? points(difference.value) : MISSING, paint },
    interval: { text: interval ? `${points(interval[0])} to ${points(interval[1])}` : MISSING, paint: style.dim },
    p: { text: p_holm === null ? MISSING : p_holm < 0.0001 ? '<0.0001' : p_holm.toFixed(4) },
    conclusion: { text: CONCLUSION_WORDS[conclusion], paint },
  };
}

function entry(
  label: string,
  sentence: string,
  remarks: readonly string[],
  { width, style }: { width: number; style: Style },
): string[] {
  return [
    style.bold(safeLine(label)),
    ...wrap(safeLine(sentence), width - 2).map((line) => `  ${line}`),
    ...remarks.flatMap((remark) => bullet(safeLine(remark), width - 2)).map((line) => `  ${line}`),
  ];
}

function paintOf(conclusion: Conclusion, style: Style): (text: string) => string {
  if (conclusion === 'worse') return style.red;
  if (conclusion === 'better') return style.green;
  return conclusion === 'no_evidence' ? (text) => text : style.yellow;
}
