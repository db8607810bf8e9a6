import type { TrialStatus } from '../../evaluators/trial-status.ts';
import { formatCount } from '../terminal/format.ts';
import type { Style } from '../terminal/style.ts';

const SIGNS: Record<TrialStatus, string> = { passed: '●', failed: '○', hard_fail: '✖', unscored: '?' };
const COLOURS: Record<TrialStatus, keyof Style> = {
  passed: 'green',
  failed: 'red',
  hard_fail: 'red',
  unscored: 'magenta',
};
const STATUSES: readonly TrialStatus[] = ['passed', 'failed', 'hard_fail', 'unscored'];

export interface TrialStrip {
  text: string;
  paint: (text: string) => string;
}

/** The trials of a scenario one sign each, in order; how often each sign occurs when there are more than `width`. */
export function trialStrip(options: {
  statuses: readonly TrialStatus[];
  planned: number;
  width: number;
  style: Style;
}): TrialStrip {
  const { statuses, width, style } = options;
  const missing = Math.max(0, options.planned - statuses.length);
  const text =
    statuses.length + missing <= width
      ? statuses.map((status) => SIGNS[status]).join('') + '·'.repeat(missing)
      : counts(statuses, missing);
  return { text, paint: (shown) => shown.replaceAll(/[●○✖?·]+/g, (signs) => paintSign(signs, style)) };
}

/** What the signs mean, for those that occur. Empty when every trial passed: nobody needs to look that up. */
export function stripLegend(statuses: ReadonlySet<TrialStatus>): string[] {
  const words: Record<TrialStatus, string> = {
    passed: 'passed',
    failed: 'failed',
    hard_fail: 'hard fail',
    unscored: 'not scored',
  };
  if (STATUSES.every((status) => status === 'passed' || !statuses.has(status))) return [];
  return STATUSES.filter((status) => statuses.has(status)).map((status) => `${SIGNS[status]} ${words[status]}`);
}

export function statusSign(status: TrialStatus): string {
  return SIGNS[status];
}

export function statusPaint(status: TrialStatus, style: Style): (text: string) => string {
  return style[COLOURS[status]];
}

function counts(statuses: readonly TrialStatus[], missing: number): string {
  const counted = STATUSES.map((status) => ({
    sign: SIGNS[status],
    count: statuses.reduce((sum, each) => sum + (each === status ? 1 : 0), 0),
  }));
  return [...counted, { sign: '·', count: missing }]
    .filter(({ count }) => count > 0)
    .map(({ sign, count }) => `${sign}${formatCount(count)}`)
    .join(' ');
}

function paintSign(signs: string, style: Style): string {
  return signs.replaceAll(/(.)\1*/gu, (run) => {
    const status = STATUSES.find((each) => run.startsWith(SIGNS[each]));
    return status ? statusPaint(status, style)(run) : style.dim(run);
  });
}
