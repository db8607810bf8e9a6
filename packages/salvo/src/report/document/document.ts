import type { Style } from '../terminal/look.ts';

/** A colour by what it means to a reader. */
export type Tone = keyof Style;

/** A text of anyone: each renderer makes it harmless and cuts what is endless. */
export interface Words {
  text: string;
  tone?: Tone | undefined;
  /** The colours of its characters, if they differ. */
  tones?: Readonly<Record<string, Tone>>;
  /** Bold besides its colour. A heading is, unless this is false. */
  bold?: boolean;
  /** A text of our own whose blanks are kept: a bar, a legend. */
  own?: boolean;
  /** True: a command or a name in code, which Markdown shows as such. */
  code?: boolean;
  /** What Markdown and LaTeX have instead. An empty text is left out, here and there. */
  print?: string;
  /** So many characters at most. The middle of a longer text is left out. */
  most?: number;
  /** True: a terminal keeps its line breaks, such as those of what a program printed. */
  lines?: boolean;
}
export type Text = string | Words;

/** Parts of one line. A terminal breaks the line between them, if it has to. */
export interface Parts {
  parts: readonly Text[];
  /** Between two parts; a dot unless given. */
  separator?: string;
}
export type Line = Text | Parts;

/** What may be below a row or an item, in this order and without empty lines. */
export type Content = Line | Block;
/** Several contents are for a column that a terminal shows below its rows. */
export type Cell = Line | readonly Content[];

interface ReportColumn {
  header: string;
  align?: 'left' | 'right';
  /** On a narrow terminal the column with the lowest priority is left out first. */
  priority?: number;
  /** The width that its cells may be wrapped to. Without it a column has the width of its widest cell. */
  min?: number;
  only?: Medium;
  /** Where a terminal shows its cells, if not beside the others: in lines of their own, always or if there is no room. */
  place?: 'above' | 'below' | 'below if narrow';
  /** What its numbers mean, said below the table on a terminal that has room for them. */
  meaning?: string;
}

export interface ReportTable {
  heading?: Text;
  columns: readonly ReportColumn[];
  rows: readonly (readonly Cell[])[];
  /** LaTeX has the tables with a caption. */
  caption?: { label: string; text: string };
  /** How many rows a terminal shows. */
  most?: number;
  /** How many rows Markdown shows. */
  printed?: number;
  /** True: a terminal shows no header. */
  bare?: boolean;
  /** True: a terminal says how many columns did not fit. */
  countsHidden?: boolean;
  /** What its symbols mean. */
  legend?: string;
}

export interface ReportItem {
  /** One character of our own. */
  symbol?: Text;
  text: Line;
  /** What there is to say about it, further to the right. */
  below?: readonly Content[];
}

export interface ReportList {
  /** Without a title, its items begin where other lines do. */
  title?: Text;
  /** True: always shown in Markdown. Otherwise the title unfolds the list. */
  isOpen?: boolean;
  items: readonly ReportItem[];
  /** How many items a terminal shows. */
  most?: number;
}

/** `print` is Markdown and LaTeX, which have room for everything. */
export type Medium = 'terminal' | 'print';

/** Lines, with or without a heading above them. Blocks among them have no empty lines around them. */
interface ReportParagraph {
  heading?: Text;
  lines: readonly Content[];
  /** A terminal shows them between two rules of this colour. */
  frame?: Tone;
}

/** Blocks about one thing. Markdown unfolds them. */
export interface ReportSection {
  symbol: Text;
  title: string;
  /** At the end of the title's line. */
  mark: Words;
  /** Made only if there is room for them. */
  blocks: () => readonly Block[];
}

/** One without content is left out. */
export type Block = (ReportParagraph | ReportTable | ReportList | ReportSection) & {
  only?: Medium;
  /** How far a terminal moves it to the right. */
  indent?: number;
};

/** What a report says, in order. Every form of it (terminal, Markdown, LaTeX) is rendered from this. */
export type ReportDocument = readonly Block[];

/** A column of texts. */
export function column<Row>(
  header: string,
  look: Omit<ReportColumn, 'header'>,
  cell: (row: Row, index: number) => Cell,
): ColumnOf<Row> {
  return { header, ...look, cell };
}

/** A column of numbers, for which a terminal may have no room. */
export function figure<Row>(
  header: string,
  priority: number,
  cell: (row: Row, index: number) => Text,
  only?: Medium,
): ColumnOf<Row> {
  return { header, align: 'right', priority, cell, ...(only && { only }) };
}

type ColumnOf<Row> = ReportColumn & { cell: (row: Row, index: number) => Cell };

/** A table with a row for each of `rows`. A column that is `false` is left out. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly (ColumnOf<Row> | false)[],
  rest: Omit<ReportTable, 'columns' | 'rows'> & { only?: Medium } = {},
): ReportTable & { only?: Medium } {
  const used = columns.filter((column) => column !== false);
  return { columns: used, rows: rows.map((row, index) => used.map(({ cell }) => cell(row, index))), ...rest };
}

/** A command that a reader can copy. */
export function commandWords(text: string, print = text): Words {
  return { text, print, tone: 'cyan', code: true };
}

/** Lines of one colour. Those that are null are left out. */
export function toned(tone: Tone, texts: readonly (string | null)[]): Words[] {
  return texts.flatMap((text) => (text === null ? [] : [{ text, tone }]));
}

export function wordsOf(text: Text): Words {
  return typeof text === 'string' ? { text } : text;
}

/** The parts of a line that a form has. */
export function partsFor(line: Line, medium: Medium): Words[] {
  const parts = typeof line === 'object' && 'parts' in line ? line.parts : [line];
  return parts.map(wordsOf).filter(({ text, print = text }) => (medium === 'print' ? print : text) !== '');
}

export function isBlock(content: Content): content is Block {
  return typeof content === 'object' && !('text' in content || 'parts' in content);
}

export function contentsOf(cell: Cell): readonly Content[] {
  return isList(cell) ? cell : [cell];
}

/** `Array.isArray` does not know arrays that are read-only. */
function isList(cell: Cell): cell is readonly Content[] {
  return Array.isArray(cell);
}

/** The columns that a form has, with their cells. One without any text is left out. */
export function columnsFor({ columns, rows }: ReportTable, medium: Medium) {
  const hasText = (cell: Cell) =>
    contentsOf(cell).some((content) => isBlock(content) || partsFor(content, medium).length > 0);
  return columns
    .map((column, index) => ({ column, cells: rows.map((row) => row[index] ?? '') }))
    .filter(({ column, cells }) => (column.only ?? medium) === medium && cells.some(hasText));
}

/** The blocks that a form has. */
export function blocksFor(report: ReportDocument, medium: Medium): Block[] {
  return report.filter(({ only }) => (only ?? medium) === medium);
}
