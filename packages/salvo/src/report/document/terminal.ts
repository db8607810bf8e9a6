import { formatCount, formatPlural } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { type Canvas, type Look, renderFor } from '../terminal/look.ts';
import { type Cell, renderTable } from '../terminal/table.ts';
import { fewLines, joinBlocks, wrap } from '../terminal/wrap.ts';
import {
  type Block,
  blocksFor,
  columnsFor,
  type ReportDocument,
  type ReportList,
  type ReportTable,
  type Text,
  wordsOf,
} from './document.ts';

const LONGEST_CELL = 400;

/** A report for a terminal. No line is wider than it. */
export function toTerminal(
  report: ReportDocument | ((width: number) => ReportDocument),
  look: Look,
  room?: { narrowest?: number; widest?: number },
): string {
  return renderFor(
    look,
    (canvas) => joinBlocks(terminalBlocks(typeof report === 'function' ? report(canvas.width) : report, canvas)),
    room,
  );
}

/** The lines of each block, for a report that has other parts beside them. */
export function terminalBlocks(report: ReportDocument, canvas: Canvas): string[][] {
  return blocksFor(report, 'terminal').map((block) => blockLines(block, canvas));
}

function blockLines(block: Block, canvas: Canvas): string[] {
  if ('lines' in block)
    return [...headingLines(block, canvas), ...block.lines.flatMap((line) => textLines(line, canvas))];
  return 'columns' in block ? tableLines(block, canvas) : listLines(block, canvas);
}

function headingLines({ heading }: { heading?: Text }, canvas: Canvas): string[] {
  return heading === undefined ? [] : textLines({ tone: 'bold', ...wordsOf(heading) }, canvas);
}

function textLines(text: Text, { width, style }: Canvas): string[] {
  const words = wordsOf(text);
  const lines = words.own ? wrap(words.text, width) : fewLines(words.text, width);
  return words.tone ? lines.map(style[words.tone]) : lines;
}

function tableLines(table: ReportTable, canvas: Canvas): string[] {
  const { width, style } = canvas;
  const { most = Number.POSITIVE_INFINITY, bare = false } = table;
  const columns = columnsFor(table, 'terminal');
  const shownRows = table.rows.slice(0, most);
  const { header, rows, shown } = renderTable({
    columns: columns.map(({ column }, index) => ({
      priority: 0,
      ...column,
      key: `${index}`,
      header: bare ? '' : safeLine(column.header, LONGEST_CELL),
    })),
    rows: shownRows.map((_, row) =>
      Object.fromEntries(
        columns.map(({ cells }, index): [string, Cell] => {
          const { text, tone, own } = wordsOf(cells[row] ?? '');
          return [`${index}`, { text: own ? text : safeLine(text, LONGEST_CELL), ...(tone && { paint: style[tone] }) }];
        }),
      ),
    ),
    width,
    style,
  });
  if (rows.length === 0) return [];
  const left = table.rows.length - shownRows.length;
  const hidden = table.countsHidden ? columns.length - shown.length : 0;
  return [
    ...headingLines(table, canvas),
    ...(bare ? [] : header),
    ...rows.flat(),
    ...(left > 0 ? [style.dim(moreWords(left))] : []),
    ...(hidden > 0 ? [style.dim(`${formatPlural(hidden, 'column')} did not fit (Markdown shows all)`)] : []),
    ...(table.legend ? wrap(table.legend, width).map(style.dim) : []),
  ];
}

function listLines({ title, items, most = items.length }: ReportList, canvas: Canvas): string[] {
  const { width, style } = canvas;
  if (items.length === 0) return [];
  const lines = items.slice(0, most).flatMap(({ symbol, text, below = [] }) => {
    const { text: sign, tone } = wordsOf(symbol ?? '');
    const inner = symbol === undefined ? 2 : 4;
    const head = textLines(text, { width: width - inner, style });
    return [
      ...head.map((line, index) =>
        symbol === undefined ? `  ${line}` : `  ${index === 0 ? (tone ? style[tone](sign) : sign) : ' '} ${line}`,
      ),
      ...below.flatMap((each) => textLines(each, { width: width - 6, style })).map((line) => `      ${line}`),
    ];
  });
  const left = items.length - most;
  return [...textLines(title, canvas), ...lines, ...(left > 0 ? [style.dim(`  ${moreWords(left)}`)] : [])];
}

function moreWords(count: number): string {
  return `and ${formatCount(count)} more (JSON lists all)`;
}
