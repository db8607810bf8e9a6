import { formatCount } from '../../stats/format.ts';
import { markdownTable, markdownText } from '../markdown-text.ts';
import { joinBlocks } from '../terminal/wrap.ts';
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

const LONGEST = { cell: 300, line: 1000 };
const MOST_ROWS = 500;
const ICONS: Readonly<Record<string, string>> = { '✔': '✅', '✖': '❌', '◐': '🟡', '◌': '❔' };
const STRONG: ReadonlySet<string | undefined> = new Set(['bold', 'red', 'green']);

/** A report as GitHub-flavoured Markdown. */
export function toMarkdown(report: ReportDocument): string {
  return joinBlocks(blocksFor(report, 'print').map(blockLines));
}

function blockLines(block: Block): string[] {
  if ('lines' in block) {
    const { heading, lines } = block;
    return [...(heading === undefined ? [] : [`## ${markdownWords(heading)}`, '']), ...lines.map(paragraphLine)];
  }
  return 'columns' in block ? tableLines(block) : listLines(block);
}

/** With a symbol at its beginning as an icon. */
function markdownWords(text: Text, max = LONGEST.line): string {
  const { text: shown, print = shown } = wordsOf(text);
  return markdownText(print, max).replace(/^[✔✖◐◌](?= |$)/, (symbol) => ICONS[symbol] ?? symbol);
}

/** Two blanks at its end break the line. */
function paragraphLine(text: Text): string {
  const words = markdownWords(text);
  return STRONG.has(wordsOf(text).tone) ? `**${words}**  ` : `${words}  `;
}

function tableLines(table: ReportTable): string[] {
  const columns = columnsFor(table, 'print');
  if (columns.length === 0) return [];
  const lines = markdownTable(
    columns.map(({ column }) => markdownText(column.header, LONGEST.cell)),
    table.rows
      .slice(0, MOST_ROWS)
      .map((_, row) => columns.map(({ cells }) => markdownWords(cells[row] ?? '', LONGEST.cell))),
    columns.map(({ column }) => (column.align === 'right' ? 'r' : 'l')).join(''),
  );
  return [...lines, ...leftOut(table.rows.length)];
}

function listLines({ title, items }: ReportList): string[] {
  if (items.length === 0) return [];
  const lines = items.slice(0, MOST_ROWS).map(({ symbol, text, below = [] }) => {
    const sign = symbol === undefined ? '' : `${markdownWords(symbol)} `;
    return `- ${sign}${[text, ...below].map((each) => markdownWords(each, LONGEST.cell)).join('<br>')}`;
  });
  const summary = `<summary>${markdownWords(title)}</summary>`;
  return ['<details>', summary, '', ...lines, ...leftOut(items.length), '', '</details>'];
}

function leftOut(count: number): string[] {
  return count > MOST_ROWS ? ['', `_${formatCount(count - MOST_ROWS)} more left out; JSON lists all._`] : [];
}
