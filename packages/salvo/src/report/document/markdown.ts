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
/** A comment of a pull request may have 65,536 characters. */
const MOST_ROWS = 200;
const ICONS: Readonly<Record<string, string>> = { '✔': '✅', '✖': '❌', '◐': '🟡', '◌': '❔' };
const STRONG: ReadonlySet<string | undefined> = new Set(['bold', 'red', 'green']);

/** A report as GitHub-flavoured Markdown. */
export function toMarkdown(report: ReportDocument, level = '##'): string {
  return joinBlocks(blocksFor(report, 'print').map((block) => blockLines(block, level)));
}

function blockLines(block: Block, level: string): string[] {
  const content =
    'lines' in block ? block.lines.map(paragraphLine) : 'columns' in block ? tableLines(block) : listLines(block);
  if (!('heading' in block) || block.heading === undefined) return content;
  return [`${level} ${markdownWords(block.heading)}`, ...(content.length > 0 ? ['', ...content] : [])];
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

function listLines({ title, items, isOpen = false }: ReportList): string[] {
  if (items.length === 0) return [];
  const lines = items.slice(0, MOST_ROWS).map(({ symbol = '', text, below = [] }) => {
    const sign = markdownWords(symbol);
    const words = [text, ...below].map((each) => markdownWords(each)).join('<br>');
    return `- ${sign === '' || sign === '→' ? '' : `${sign} `}${words}`;
  });
  const shown = [...lines, ...leftOut(items.length)];
  if (isOpen) return [`**${markdownWords(title)}**`, '', ...shown];
  return ['<details>', `<summary>${markdownWords(title)}</summary>`, '', ...shown, '', '</details>'];
}

function leftOut(count: number): string[] {
  return count > MOST_ROWS ? ['', `_${formatCount(count - MOST_ROWS)} more left out; JSON lists all._`] : [];
}
