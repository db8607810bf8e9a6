import { formatCount, formatPlural } from '../../stats/format.ts';
import { markdownTable, markdownText } from '../markdown-text.ts';
import { joinBlocks } from '../terminal/wrap.ts';
import {
  type Block,
  blocksFor,
  type Content,
  columnsFor,
  contentsOf,
  isBlock,
  type Line,
  partsFor,
  type ReportDocument,
  type ReportList,
  type ReportSection,
  type ReportTable,
  type Text,
  type Words,
  wordsOf,
} from './document.ts';

/** A message has no end that could be left out: what was expected is often there. */
const LONGEST = { cell: 300, line: 1000, message: 4000 };
/** A comment of a pull request may have 65,536 characters. */
const MOST_ROWS = 200;
/** GitHub rejects a step summary above 1 MiB. The rest is for the line that says what was left out. */
const MOST_BYTES = 1024 * 1024 - 1024;
const ICONS: Readonly<Record<string, string>> = { '✔': '✅', '✖': '❌', '◐': '🟡', '◌': '❔' };
const STRONG: ReadonlySet<string | undefined> = new Set(['bold', 'red', 'green', 'magenta']);

/** A report as GitHub-flavoured Markdown. Always below 1 MiB, and says what was left out. */
export function toMarkdown(report: ReportDocument, level = '##'): string {
  const blocks = blocksFor(report, 'print');
  // One by one, because rendering what does not fit would take more time than all the rest.
  const shown = takeWhileFits(blocks, (block) => blockLines(block, level), MOST_BYTES);
  const left = blocks.length - shown.length;
  const note = `_${formatPlural(left, 'more part')} left out: a summary is limited to 1 MiB._`;
  return joinBlocks(left > 0 ? [...shown, [note]] : shown);
}

function takeWhileFits<T>(
  items: readonly T[],
  render: (item: T, index: number) => string[],
  bytes: number,
): string[][] {
  const texts: string[][] = [];
  let used = 0;
  for (const [index, item] of items.entries()) {
    const lines = render(item, index);
    used += lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 1);
    if (used > bytes) break;
    texts.push(lines);
  }
  return texts;
}

function blockLines(block: Block, level: string): string[] {
  if ('items' in block) return listLines(block);
  if ('blocks' in block) return sectionLines(block, level);
  const content = 'columns' in block ? tableLines(block) : paragraphLines(block.lines, level);
  if (block.heading === undefined) return content;
  return [`${level} ${markdownWords(block.heading)}`, ...(content.length > 0 ? ['', ...content] : [])];
}

/** With a symbol at its beginning as an icon. */
function markdownWords(text: Text, max = LONGEST.line): string {
  const { text: shown, print = shown, most, code } = wordsOf(text);
  const words = markdownText(print, most === undefined ? max : LONGEST.message);
  if (code) return `<code>${words}</code>`;
  return words.replace(/^[✔✖◐◌](?= |$)/, (symbol) => ICONS[symbol] ?? symbol);
}

function lineText(line: Line, { max, strong = false }: { max?: number; strong?: boolean } = {}): string {
  const { separator = ' · ' } = typeof line === 'object' && 'parts' in line ? line : {};
  const text = (part: Words) => markdownWords(part, max);
  const isStrong = ({ tone, bold, code }: Words) => strong && !code && (bold || STRONG.has(tone));
  return partsFor(line, 'print')
    .map((part) => (isStrong(part) ? `**${text(part)}**` : text(part)))
    .join(separator);
}

/** Two blanks at its end break the line. */
function paragraphLines(contents: readonly Content[], level: string): string[] {
  return contents.flatMap((content, index) => {
    if (isBlock(content)) {
      const lines = blocksFor([content], 'print').flatMap((block) => blockLines(block, level));
      return lines.length === 0
        ? []
        : [...(index === 0 ? [] : ['']), ...lines, ...(index === contents.length - 1 ? [] : [''])];
    }
    const text = lineText(content, { strong: true });
    return text === '' ? [] : [`${text}  `];
  });
}

function tableLines(table: ReportTable): string[] {
  const columns = columnsFor(table, 'print');
  if (columns.length === 0) return [];
  const { printed = MOST_ROWS } = table;
  const rows = takeWhileFits(
    table.rows.slice(0, printed),
    (_, row) =>
      columns.map(({ cells }) =>
        contentsOf(cells[row] ?? '')
          .flatMap((content) => inlineTexts(content))
          .join('<br>'),
      ),
    MOST_BYTES / 2,
  );
  const lines = markdownTable(
    columns.map(({ column }) => markdownText(column.header, LONGEST.cell)),
    rows,
    columns.map(({ column }) => (column.align === 'right' ? 'r' : 'l')).join(''),
  );
  return [...lines, ...leftOut(table.rows.length - rows.length)];
}

/** A line, or what a table or paragraph in a cell says in lines. */
function inlineTexts(content: Content): string[] {
  if (!isBlock(content)) return [lineText(content, { max: LONGEST.cell })].filter((text) => text !== '');
  if ('lines' in content) return content.lines.flatMap(inlineTexts);
  if (!('columns' in content)) return [];
  const columns = columnsFor(content, 'print');
  return content.rows.flatMap((_, row) => {
    const texts = (isBelow: boolean) =>
      columns.flatMap(({ column, cells }) =>
        (column.place === 'below') === isBelow ? contentsOf(cells[row] ?? '').flatMap(inlineTexts) : [],
      );
    return [texts(false).join(' '), ...texts(true)];
  });
}

function listLines({ title, items, isOpen = title === undefined }: ReportList): string[] {
  if (items.length === 0) return [];
  const lines = items.slice(0, MOST_ROWS).map(({ symbol = '', text, below = [] }) => {
    const sign = markdownWords(symbol);
    const words = [lineText(text), ...below.flatMap(inlineTexts)].join('<br>');
    return `- ${sign === '' || sign === '→' ? '' : `${sign} `}${words}`;
  });
  const shown = [...lines, ...leftOut(items.length - lines.length)];
  if (title === undefined) return shown;
  if (isOpen) return [`**${markdownWords(title)}**`, '', ...shown];
  return folded(markdownWords(title), shown);
}

function sectionLines({ symbol, title, mark, blocks }: ReportSection, level: string): string[] {
  const summary = `${markdownWords(symbol)} <b>${markdownText(title, LONGEST.cell)}</b>: ${markdownWords(mark)}`;
  const body = joinBlocks(blocksFor(blocks(), 'print').map((block) => blockLines(block, level)));
  return folded(summary, body.trimEnd().split('\n'));
}

function folded(summary: string, lines: readonly string[]): string[] {
  return ['<details>', `<summary>${summary}</summary>`, '', ...lines, '', '</details>'];
}

function leftOut(count: number): string[] {
  return count > 0 ? ['', `_${formatCount(count)} more left out; JSON lists all._`] : [];
}
