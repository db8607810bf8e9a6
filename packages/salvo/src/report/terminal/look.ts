import { displayWidth } from '../../text/output/safe-text.ts';

/** What a report has to know of the terminal it is rendered for. */
export interface Look {
  /** In columns. */
  width: number;
  color: boolean;
  /** True for a terminal without Unicode. */
  ascii?: boolean | undefined;
}

/** What a report is rendered with: the width of the terminal, and paints. */
export interface Canvas {
  width: number;
  style: Style;
}

/** Renders a report for a terminal. Without Unicode, our own symbols are replaced in the finished text. */
export function renderFor(
  look: Look,
  render: (canvas: Canvas) => string,
  { narrowest = 24, widest = Number.POSITIVE_INFINITY }: { narrowest?: number; widest?: number } = {},
): string {
  const width = Math.max(narrowest, Math.min(widest, look.width));
  const text = render({ width, style: createStyle(look.color) });
  return look.ascii ? asciiSymbols(text) : text;
}

/** Replaces our own symbols by ASCII, one for one, so that every column stays where it is. */
export function asciiSymbols(text: string): string {
  return text.replaceAll(SYMBOLS, (symbol) => ASCII.get(symbol) ?? symbol);
}

/** A symbol, then what replaces it. */
const ASCII = new Map(
  '✔+ ✖x ◐~ ●o ○- ◌. ·. …~ –- —- ×x →> ←< ↑^ ↓v ↵/ ↻r ━= ─- │| █# ▉# ▊# ▋# ▌# ▍- ▎- ▏- ░. ▁_ ▂_ ▃. ▄- ▅- ▆= ▇# ’\' “" ”"'
    .split(' ')
    .map(([symbol = '', ascii = '']) => [symbol, ascii]),
);
const SYMBOLS = new RegExp(`[${[...ASCII.keys()].join('')}]`, 'g');

type Paint = (text: string) => string;

/** Colours by what they mean to a reader. Without colour every paint returns its text unchanged. */
export type Style = ReturnType<typeof createStyle>;

/** Paints can be nested, except bold and dim in each other: they share a closing code. */
export function createStyle(color: boolean) {
  const paint = (open: number, close: number): Paint =>
    color ? (text) => (text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`) : (text) => text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    magenta: paint(35, 39),
    cyan: paint(36, 39),
  };
}

/** The columns that a painted line takes. */
export function visibleWidth(line: string): number {
  return displayWidth(line.replaceAll(/\u001b\[\d+m/g, ''));
}
