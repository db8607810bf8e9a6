import { formatCount, formatPlural } from '../../stats/format.ts';
import { displayWidth, safeLine } from '../../text/output/safe-text.ts';
import { type Canvas, createStyle, type Look, renderFor, visibleWidth } from '../terminal/look.ts';
import { renderTable } from '../terminal/table.ts';
import { fewLines, joinBlocks, safeMessage, wrap } from '../terminal/wrap.ts';
import {
  type Block,
  blocksFor,
  type Cell,
  type Content,
  columnsFor,
  contentsOf,
  isBlock,
  type Line,
  partsFor,
  type ReportDocument,
  type ReportItem,
  type ReportList,
  type ReportSection,
  type ReportTable,
  type Text,
  type Tone,
  type Words,
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

function blockLines(block: Block, { width, style }: Canvas): string[] {
  const { indent = 0 } = block;
  const canvas = { width: width - indent, style };
  if ('columns' in block) return indented(tableLines(block, canvas), indent);
  if ('items' in block) return indented(listLines(block, canvas), indent);
  if ('blocks' in block) return indented(sectionLines(block, canvas), indent);
  const { heading, lines, frame } = block;
  if (frame) {
    const rule = style[frame]('━'.repeat(width));
    return [rule, ...indented(contentLines(lines, { width: width - 1, style }), 1), rule];
  }
  return indented([...headingLines(heading, canvas), ...contentLines(lines, canvas)], indent);
}

function indented(lines: readonly string[], indent: number): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
}

function headingLines(heading: Text | undefined, canvas: Canvas): string[] {
  return heading === undefined ? [] : textLines({ bold: true, ...wordsOf(heading) }, canvas);
}

function contentLines(contents: readonly Content[], canvas: Canvas): string[] {
  return contents.flatMap((content) =>
    isBlock(content) ? terminalBlocks([content], canvas).flat() : lineLines(content, canvas),
  );
}

/** Only a part that is too long for a line is split. */
function lineLines(line: Line, canvas: Canvas): string[] {
  const { separator = ' · ' } = typeof line === 'object' && 'parts' in line ? line : {};
  const lines: string[] = [];
  for (const part of partsFor(line, 'terminal')) {
    const [first = '', ...more] = textLines(part, canvas);
    const last = lines.at(-1);
    const joined = `${last ?? ''}${separator}${first}`;
    if (last === undefined || more.length > 0 || visibleWidth(joined) > canvas.width) lines.push(first, ...more);
    else lines[lines.length - 1] = joined;
  }
  return lines;
}

function textLines(words: Words, { width, style }: Canvas): string[] {
  const { text, own } = words;
  return (own ? wrap(text, width) : fewLines(text, width, words)).map(paintOf(words, style));
}

function paintOf({ tone, tones, bold }: Words, style: Canvas['style']): (text: string) => string {
  const as = (name: Tone | undefined, text: string) => (name ? style[name](text) : text);
  if (tones) return (text) => text.replaceAll(/(.)\1*/gu, (same) => as(tones[same.charAt(0)], same));
  return (text) => as(bold ? 'bold' : undefined, as(tone, text));
}

function sectionLines({ symbol, title, mark, blocks }: ReportSection, { width, style }: Canvas): string[] {
  const paint = (words: Words) => paintOf(words, style)(words.text);
  const [first = '', ...more] = wrap(safeLine(title), Math.max(8, width - mark.text.length - 4));
  const gap = ' '.repeat(Math.max(2, width - displayWidth(first) - mark.text.length - 2));
  return [
    `${paint(wordsOf(symbol))} ${style.bold(first)}${gap}${paint(mark)}`,
    ...indented(more.map(style.bold), 2),
    ...indented(
      joinBlocks(terminalBlocks(blocks(), { width: width - 2, style }))
        .trimEnd()
        .split('\n'),
      2,
    ),
  ];
}

function tableLines(table: ReportTable, canvas: Canvas): string[] {
  const { width, style } = canvas;
  const { bare = false, legend = '' } = table;
  const { header, rows, shown, start, placed, hidden } = placedTable(table, canvas);
  if (rows.length === 0) return [];
  const cellsAt = (isAbove: boolean, row: number) =>
    placed.flatMap(({ column, cells }) => ((column.place === 'above') === isAbove ? contentsOf(cells[row] ?? '') : []));
  const left = table.rows.length - rows.length;
  const meanings = shown.flatMap(({ header: name, meaning }) => (meaning ? [`${name}: ${meaning}.`] : []));
  return [
    ...headingLines(table.heading, canvas),
    ...(bare ? [] : header),
    ...rows.flatMap((lines, row) => [
      ...contentLines(cellsAt(true, row), canvas),
      ...lines,
      ...indented(contentLines(cellsAt(false, row), { width: width - start, style }), start),
    ]),
    ...(left > 0 ? [style.dim(moreWords(left))] : []),
    ...(hidden > 0 ? [style.dim(`${formatPlural(hidden, 'column')} did not fit (Markdown shows all)`)] : []),
    ...[...(legend === '' ? [] : [legend]), ...meanings].flatMap((line) => wrap(line, width)).map(style.dim),
  ];
}

const WIDEST_INDENT = 9;

/** The columns that are beside each other, and those that are above or below their rows. */
function placedTable(table: ReportTable, { width, style }: Canvas) {
  const { most, bare = false } = table;
  const columns = columnsFor(table, 'terminal');
  const rendered = (beside: typeof columns) =>
    renderTable({
      columns: beside.map(({ column }, index) => ({
        priority: 0,
        ...column,
        key: `${index}`,
        header: bare ? '' : safeLine(column.header, LONGEST_CELL),
      })),
      rows: table.rows
        .slice(0, most)
        .map((_, row) => Object.fromEntries(beside.map(({ cells }, at) => [`${at}`, besideCell(cells[row], style)]))),
      width,
      style,
    });
  const always = columns.filter(({ column }) => column.place === undefined);
  const roomy = columns.filter(({ column: { place } }) => place === undefined || place === 'below if narrow');
  const wide = rendered(roomy);
  const beside = wide.shown.length < roomy.length ? always : roomy;
  const { header, rows, shown: keys, widths } = beside === roomy ? wide : rendered(beside);
  const shown = keys.flatMap((key) => beside[Number(key)]?.column ?? []);
  const [first] = shown;
  // What is below a row leaves a first column of symbols or numbers free.
  const isFree = first?.align === 'right' || (first?.header === '' && !bare);
  return {
    ...{ header, rows, shown },
    start: isFree ? Math.min(WIDEST_INDENT, (widths[0] ?? 0) + 2) : 2,
    placed: columns.filter((each) => !beside.includes(each)),
    hidden: table.countsHidden ? beside.length - shown.length : 0,
  };
}

function besideCell(cell: Cell = '', style: Canvas['style']): { text: string; paint: (text: string) => string } {
  const parts = contentsOf(cell).flatMap((content) => (isBlock(content) ? [] : partsFor(content, 'terminal')));
  return { text: parts.map(cellText).join(' · '), paint: paintOf(parts[0] ?? { text: '' }, style) };
}

function cellText({ text, own, most, lines }: Words): string {
  if (own) return text;
  return most === undefined ? safeLine(text, LONGEST_CELL) : safeMessage(text, { most, lines });
}

/** Whether a terminal of this width has room for a column of a table. */
export function hasRoomFor(header: string, table: ReportTable, width: number): boolean {
  return placedTable(table, { width, style: createStyle(false) }).shown.some((column) => column.header === header);
}

function listLines({ title, items, most = items.length }: ReportList, canvas: Canvas): string[] {
  if (items.length === 0) return [];
  const start = title === undefined ? 0 : 2;
  const left = items.length - most;
  return [
    ...(title === undefined ? [] : textLines(wordsOf(title), canvas)),
    ...items.slice(0, most).flatMap((item) => itemLines(item, start, canvas)),
    ...(left > 0 ? [canvas.style.dim(`  ${moreWords(left)}`)] : []),
  ];
}

function itemLines({ symbol, text, below = [] }: ReportItem, start: number, { width, style }: Canvas): string[] {
  const sign = wordsOf(symbol ?? '');
  const inner = start + (symbol === undefined ? 0 : displayWidth(sign.text) + 1);
  const [first = '', ...more] = lineLines(text, { width: width - inner, style });
  const further = Math.max(2, inner + start);
  return [
    ...indented([symbol === undefined ? first : `${paintOf(sign, style)(sign.text)} ${first}`], start),
    ...indented(more, inner),
    ...indented(contentLines(below, { width: width - further, style }), further),
  ];
}

function moreWords(count: number): string {
  return `and ${formatCount(count)} more (JSON lists all)`;
}
