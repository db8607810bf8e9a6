import type { TrialStatus } from '../../evaluators/trial-status.ts';
import { formatCount } from '../terminal/format.ts';
import type { Style } from '../terminal/style.ts';

const SYMBOLS: Record<TrialStatus, string> = { passed: '●', failed: '○', hard_fail: '✖', crashed: '!', unscored: '?' };
const NOT_RUN = '·';
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
  /** By trial number, from 1. */
  statuses: readonly (TrialStatus | undefined)[];
  planned: number;
  width: number;
  style: Style;
}): TrialStrip {
  const { statuses, width, style } = options;
  const length = Math.max(options.planned, statuses.length);
  // A trial that was given up leaves a gap: it must not move the later ones.
  const symbols = Array.from({ length }, (_, index) => symbolOf(statuses[index]));
  const text = length <= width ? symbols.join('') : counts(symbols);
  return { text, paint: (strip) => strip.replaceAll(/[●○✖!?·]+/g, (some) => paintSymbols(some, style)) };
}

/** What the symbols that occur mean. Empty when every trial passed, which needs no explanation. */
export function stripLegend(statuses: ReadonlySet<TrialStatus>): string[] {
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

function symbolOf(status: TrialStatus | undefined): string {
  return status === undefined ? NOT_RUN : SYMBOLS[status];
}

function counts(symbols: readonly string[]): string {
  return [...STATUSES.map(symbolOf), NOT_RUN]
    .map((symbol) => ({ symbol, count: symbols.reduce((sum, each) => sum + (each === symbol ? 1 : 0), 0) }))
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
