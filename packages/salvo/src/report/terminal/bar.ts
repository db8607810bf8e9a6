const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const HEIGHTS = '▁▂▃▄▅▆▇█';

/** A horizontal bar of `share` (0..1) of `width` columns, padded with blanks. A share above 0 is always visible. */
export function bar(share: number, width: number): string {
  const bounded = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
  const eighths = Math.max(bounded > 0 ? 1 : 0, Math.round(bounded * width * 8));
  const filled = '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
  return filled.padEnd(width);
}

/** One column per rate, from ▁ for 0 to █ for 1; a blank dot where there is none. */
export function sparkline(rates: readonly (number | null)[]): string {
  return rates.map((rate) => (rate === null ? '·' : (HEIGHTS[height(rate)] ?? '·'))).join('');
}

function height(rate: number): number {
  // The full block means every trial passed, and nothing less.
  return rate >= 1
    ? HEIGHTS.length - 1
    : Math.max(0, Math.min(HEIGHTS.length - 2, Math.floor(rate * (HEIGHTS.length - 1))));
}
