import { safeLine } from '../../text/output/safe-text.ts';
import {
  blocksFor,
  type Cell,
  columnsFor,
  contentsOf,
  isBlock,
  partsFor,
  type ReportDocument,
  type ReportTable,
} from './document.ts';

const LONGEST_CELL = 80;

/** The tables of a report that have a caption, for a paper. They need no package. */
export function toLatex(report: ReportDocument, comments: readonly string[]): string {
  const tables = blocksFor(report, 'print').flatMap((block) =>
    'columns' in block && block.caption && columnsFor(block, 'print').length > 0
      ? [tableText(block, block.caption)]
      : [],
  );
  return `${[comments.map((line) => `% ${latexText(line)}`).join('\n'), ...tables].join('\n\n')}\n`;
}

function tableText(table: ReportTable, caption: NonNullable<ReportTable['caption']>): string {
  const columns = columnsFor(table, 'print');
  const line = (cells: readonly string[]) => `  ${cells.join(' & ')} \\\\`;
  return [
    '\\begin{table}',
    '\\centering',
    `\\caption{${latexText(caption.text)}}`,
    `\\label{tab:salvo-${caption.label}}`,
    `\\begin{tabular}{${columns.map(({ column }) => (column.align === 'right' ? 'r' : 'l')).join('')}}`,
    '  \\hline',
    line(columns.map(({ column }) => latexText(column.header, LONGEST_CELL))),
    '  \\hline',
    ...table.rows.map((_, row) => line(columns.map(({ cells }) => cellText(cells[row] ?? '')))),
    '  \\hline',
    '\\end{tabular}',
    '\\end{table}',
  ].join('\n');
}

/** With the minus sign of a formula before a number. */
function cellText(cell: Cell): string {
  const parts = contentsOf(cell).flatMap((content) => (isBlock(content) ? [] : partsFor(content, 'print')));
  const text = parts.map((part) => part.text).join(' ');
  return latexText(text, LONGEST_CELL).replaceAll(/(?<![^\s(])-(?=\d)/g, '$-$');
}

const COMMANDS: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': "''",
  '–': '--',
  '—': '---',
  '…': '\\dots{}',
  '·': '\\textperiodcentered{}',
  '↵': ' ',
};

/**
 * An untrusted text as plain LaTeX text on one line: it can start no command, comment, formula or cell. What fonts of a
 * usual document do not have (all beyond Latin-1) becomes a question mark.
 * @internal Exported for its tests.
 */
export function latexText(text: string, max = Number.POSITIVE_INFINITY): string {
  return safeLine(text, max)
    .replaceAll(/[\\~^<>|"–—…·↵{}$&#%_]/g, (symbol) => COMMANDS[symbol] ?? `\\${symbol}`)
    .replaceAll(/[^\x20-\x7e\u00a1-\u00ff]/gu, '?');
}
