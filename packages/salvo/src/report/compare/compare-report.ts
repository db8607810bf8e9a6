import type { RunComparison } from '../../run/compare/compare-runs.ts';
import type { Conclusion } from '../../run/compare/comparison.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { type Look, renderFor } from '../terminal/look.ts';
import type { Style } from '../terminal/style.ts';
import { type Cell, type Column, renderTable } from '../terminal/table.ts';
import { bullet, joinBlocks, wrap } from '../terminal/wrap.ts';
import {
  CONCLUSION_WORDS,
  listed,
  overallSentence,
  runWords,
  scenarioLabels,
  togetherLabel,
  togetherSentence,
} from './compare-words.ts';
import { comparisonNotes } from './comparison-notes.ts';
import { type ComparisonRow, comparisonRows } from './comparison-rows.ts';

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

/** A comparison of two runs, for a terminal. The short one leaves out the sentences that say what the table says. */
export function renderComparison(
  comparison: RunComparison,
  look: Look,
  { full }: { full: boolean } = { full: true },
): string {
  return renderFor(look, ({ width, style }) => {
    const { scenarios, together } = comparison;
    const labelOf = scenarioLabels(scenarios);
    const rows = comparisonRows(comparison);
    const table = renderTable({
      columns: COLUMNS,
      rows: [...rows.scenarios, ...rows.together].map((row) => cells(row, style)),
      width,
      style,
    });
    const { common, explained, rest } = comparisonNotes(comparison);
    return joinBlocks([
      [
        ...wrap(`Base ${safeLine(runWords(comparison.base))}, new ${safeLine(runWords(comparison.next))}`, width),
        ...common.flatMap((text) => wrap(`In all scenarios, ${safeLine(text)}.`, width)),
        ...listed('Changed', comparison.agent_differences).flatMap((text) => wrap(safeLine(text), width)),
      ],
      scenarios.length === 0 ? [] : table.lines,
      ...explained
        .slice(0, MOST_EXPLAINED)
        .filter(({ remarks }) => full || remarks.length > 0)
        .map(({ scenario, sentence, remarks }) =>
          entry(labelOf(scenario), full ? sentence : '', remarks, { width, style }),
        ),
      ...(full ? [rest.flatMap((sentence) => wrap(safeLine(sentence), width))] : []),
      together && full ? entry(togetherLabel(together), togetherSentence(together), [], { width, style }) : [],
      full ? wrap(overallSentence(comparison), width).map(paintOf(comparison.conclusion, style)) : [],
    ]);
  });
}

function cells(row: ComparisonRow, style: Style): Partial<Record<Key, Cell>> {
  const paint = paintOf(row.conclusion, style);
  return {
    symbol: { text: SYMBOLS[row.conclusion], paint },
    name: { text: safeLine(row.label), paint: style.bold },
    base: { text: row.base },
    next: { text: row.next },
    change: { text: row.change, paint },
    interval: { text: row.interval, paint: style.dim },
    p: { text: row.p },
    conclusion: { text: CONCLUSION_WORDS[row.conclusion], paint },
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
    ...(sentence === '' ? [] : wrap(safeLine(sentence), width - 2).map((line) => `  ${line}`)),
    ...remarks.flatMap((remark) => bullet(safeLine(remark), width - 2)).map((line) => `  ${line}`),
  ];
}

function paintOf(conclusion: Conclusion, style: Style): (text: string) => string {
  if (conclusion === 'worse') return style.red;
  if (conclusion === 'better') return style.green;
  return conclusion === 'no_evidence' ? (text) => text : style.yellow;
}
