import type { TrialStatus } from '../../../evaluators/eval-result.ts';
import { formatCount } from '../../../stats/format.ts';
import type { Style } from '../../terminal/style.ts';

const SYMBOLS: Record<TrialStatus, string> = { passed: '●', failed: '○', hard_fail: '✖', crashed: '!', unscored: '?' };
const COLOURS: Record<TrialStatus, keyof Style> = {
  passed: 'green',
  failed: 'red',
  hard_fail: 'red',
  crashed: 'red',
  unscored: 'magenta',
};
const STATUSES: readonly TrialStatus[] = ['passed', 'failed', 'hard_fail', 'crashed', 'unscored'];

export interface TrialStrip {
  text: string;
  paint: (text: string) => string;
}

/** One symbol for each trial, in order. If they need more than `width` columns, the number of each symbol instead. */
export function trialStrip(options: {
  /** By trial number, from 1. A trial that was not run, or was given up, is a gap. */
  statuses: readonly (TrialStatus | undefined)[];
  planned: number;
  width: number;
  style: Style;
}): TrialStrip {
  const { width, style } = options;
  // `Array.from` fills the gaps of a sparse array, which `map` would leave out.
  const length = Math.max(options.planned, options.statuses.length);
  const statuses = Array.from({ length }, (_, index) => options.statuses[index]);
  const text =
    length <= width
      ? statuses.map((status) => (status === undefined ? '·' : SYMBOLS[status])).join('')
      : counts(statuses);
  return { text, paint: (strip) => strip.replaceAll(/[●○✖!?·]+/g, (symbols) => paintSymbols(symbols, style)) };
}

/** What the symbols that occur mean. Empty when every trial passed, which needs no explanation. */
export function stripLegend(statuses: ReadonlySet<TrialStatus | undefined>): string[] {
  const words: Record<TrialStatus, string> = {
    passed: 'passed',
    failed: 'failed',
    hard_fail: 'hard fail',
    crashed: 'the agent crashed',
    unscored: 'not scored',
  };
  if (STATUSES.every((status) => status === 'passed' || !statuses.has(status))) return [];
  return STATUSES.filter((status) => statuses.has(status)).map((status) => `${SYMBOLS[status]} ${words[status]}`);
}

export function statusSymbol(status: TrialStatus): string {
  return SYMBOLS[status];
}

export function statusPaint(status: TrialStatus, style: Style): (text: string) => string {
  return style[COLOURS[status]];
}

function counts(statuses: readonly (TrialStatus | undefined)[]): string {
  const count = (status: TrialStatus | undefined) => statuses.filter((each) => each === status).length;
  const counted = STATUSES.map((status) => ({ symbol: SYMBOLS[status], count: count(status) }));
  return [...counted, { symbol: '·', count: count(undefined) }]
    .filter(({ count }) => count > 0)
    .map(({ symbol, count }) => `${symbol}${formatCount(count)}`)
    .join(' ');
}

function paintSymbols(symbols: string, style: Style): string {
  return symbols.replaceAll(/(.)\1*/gu, (run) => {
    const status = STATUSES.find((each) => run.startsWith(SYMBOLS[each]));
    return status ? statusPaint(status, style)(run) : style.dim(run);
  });
}
