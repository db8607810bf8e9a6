import type { TrialStatus } from '../../../evaluators/eval-result.ts';
import { formatCount } from '../../../stats/format.ts';
import type { Tone, Words } from '../../document/document.ts';

const LOOKS: Record<TrialStatus, { symbol: string; tone: Tone; words: string }> = {
  passed: { symbol: '●', tone: 'green', words: 'passed' },
  failed: { symbol: '○', tone: 'red', words: 'failed' },
  hard_fail: { symbol: '✖', tone: 'red', words: 'hard fail' },
  crashed: { symbol: '!', tone: 'red', words: 'the agent crashed' },
  unscored: { symbol: '?', tone: 'magenta', words: 'not scored' },
};
const GAP = '·';
const STATUSES: readonly TrialStatus[] = ['passed', 'failed', 'hard_fail', 'crashed', 'unscored'];
const TONES: Readonly<Record<string, Tone>> = {
  ...Object.fromEntries(Object.values(LOOKS).map(({ symbol, tone }) => [symbol, tone])),
  [GAP]: 'dim',
};

/** One symbol for each trial, in order. If they need more than `width` columns, the number of each symbol instead. */
export function trialStrip(options: {
  /** By trial number, from 1. A trial that was not run, or was given up, is a gap. */
  statuses: readonly (TrialStatus | undefined)[];
  planned: number;
  width: number;
}): Words {
  if (options.statuses.length === 0) return { text: '' };
  // `Array.from` fills the gaps of a sparse array, which `map` would leave out.
  const length = Math.max(options.planned, options.statuses.length);
  const statuses = Array.from({ length }, (_, index) => options.statuses[index]);
  const text = length <= options.width ? statuses.map(symbolOf).join('') : counts(statuses);
  return { text, tones: TONES, own: true, print: '' };
}

/** What the symbols that occur mean. Empty when every trial passed, which needs no explanation. */
export function stripLegend(statuses: ReadonlySet<TrialStatus | undefined>): string[] {
  const occurring = STATUSES.filter((status) => statuses.has(status));
  if (occurring.every((status) => status === 'passed')) return [];
  return occurring.map((status) => `${LOOKS[status].symbol} ${LOOKS[status].words}`);
}

/** The outcome of a trial in words, after its symbol. */
export function statusWords(status: TrialStatus): Words {
  return { text: `${LOOKS[status].symbol} ${status.replace('_', ' ')}`, tone: LOOKS[status].tone };
}

function symbolOf(status: TrialStatus | undefined): string {
  return status === undefined ? GAP : LOOKS[status].symbol;
}

function counts(statuses: readonly (TrialStatus | undefined)[]): string {
  return [...STATUSES, undefined]
    .map((status) => ({ symbol: symbolOf(status), count: statuses.filter((each) => each === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ symbol, count }) => `${symbol}${formatCount(count)}`)
    .join(' ');
}
