import { displayWidth } from '../../text/output/safe-text.ts';

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
