import { createStyle, type Style } from './style.ts';

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
