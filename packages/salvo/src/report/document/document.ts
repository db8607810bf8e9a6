import type { Style } from '../terminal/style.ts';

/** A colour by what it means to a reader. */
export type Tone = keyof Style;

/** A text of anyone: each renderer makes it harmless and cuts what is endless. */
export interface Words {
  text: string;
  tone?: Tone | undefined;
  /** A text of our own whose blanks are kept: a bar, a legend. */
  own?: boolean;
  /** What Markdown and LaTeX have instead. */
  print?: string;
}
export type Text = string | Words;

interface ReportColumn {
  header: string;
  align?: 'left' | 'right';
  /** On a narrow terminal the column with the lowest priority is left out first. */
  priority?: number;
  /** The width that its cells may be wrapped to. Without it a column has the width of its widest cell. */
  min?: number;
  only?: Medium;
}

export interface ReportTable {
  heading?: Text;
  columns: readonly ReportColumn[];
  rows: readonly (readonly Text[])[];
  /** LaTeX has the tables with a caption. */
  caption?: { label: string; text: string };
  /** How many rows a terminal shows. */
  most?: number;
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
  text: Text;
  /** Lines about it, further to the right. */
  below?: readonly Text[];
}

export interface ReportList {
  title: Text;
  /** True: always shown in Markdown. Otherwise the title unfolds the list. */
  isOpen?: boolean;
  items: readonly ReportItem[];
  /** How many items a terminal shows. */
  most?: number;
}

/** `print` is Markdown and LaTeX, which have room for everything. */
export type Medium = 'terminal' | 'print';

/** Lines, with or without a heading above them. */
interface ReportParagraph {
  heading?: Text;
  lines: readonly Text[];
}

/** A paragraph, a table or a list. One without content is left out. */
export type Block = (ReportParagraph | ReportTable | ReportList) & { only?: Medium };

/** What a report says, in order. Every form of it (terminal, Markdown, LaTeX) is rendered from this. */
export type ReportDocument = readonly Block[];

/** A column of numbers, for which a terminal may have no room. */
export function figure<Row>(
  header: string,
  priority: number,
  cell: (row: Row, index: number) => Text,
  only?: Medium,
): ColumnOf<Row> {
  return { header, align: 'right', priority, cell, ...(only && { only }) };
}

type ColumnOf<Row> = ReportColumn & { cell: (row: Row, index: number) => Text };

/** A table with a row for each of `rows`. A column that is `false` is left out. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly (ColumnOf<Row> | false)[],
  rest: Omit<ReportTable, 'columns' | 'rows'> & { only?: Medium } = {},
): ReportTable & { only?: Medium } {
  const used = columns.filter((column) => column !== false);
  return { columns: used, rows: rows.map((row, index) => used.map(({ cell }) => cell(row, index))), ...rest };
}

export function wordsOf(text: Text): Words {
  return typeof text === 'string' ? { text } : text;
}

/** The columns that a form has, with their cells. One without any text is left out. */
export function columnsFor({ columns, rows }: ReportTable, medium: Medium) {
  return columns
    .map((column, index) => ({ column, cells: rows.map((row) => wordsOf(row[index] ?? '')) }))
    .filter(({ column, cells }) => (column.only ?? medium) === medium && cells.some(({ text }) => text !== ''));
}

/** The blocks that a form has. */
export function blocksFor(report: ReportDocument, medium: Medium): Block[] {
  return report.filter(({ only }) => (only ?? medium) === medium);
}
