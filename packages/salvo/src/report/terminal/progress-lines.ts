import type { Cost } from '../../stats/cost.ts';
import { formatCosts, formatCount, formatPercent, formatPlural, formatSeconds } from '../../stats/format.ts';
import { displayWidth, safeLine, shorten } from '../../text/output/safe-text.ts';
import { bar } from './bar.ts';
import type { Style } from './look.ts';

/** The progress of a run. Counts include the trials of before a resume. */
export interface ProgressState {
  done: number;
  passed: number;
  /** Hard fails and crashes included. */
  failed: number;
  unscored: number;
  /** Of agents so far. */
  cost: Cost;
  judgeCost: Cost;
  /** Of simulated users, if there are any. */
  userCost?: Cost;
  /** Trials in flight. */
  running: number;
  retries: number;
  /** What is in flight, or waited for. */
  current?: string | undefined;
}

interface Part {
  text: string;
  paint: (text: string) => string;
}

interface Moment {
  state: ProgressState;
  total: number;
  elapsedSeconds: number;
  doneBefore: number;
}

/** One moment as one line for a log, which is not cut. */
export function progressLine(moment: Moment): string {
  const { state, total } = moment;
  const left = timeLeft(moment);
  const names = safeLine(state.current ?? '', 200);
  const running = state.running > 0 ? `${formatCount(state.running)} running` : '';
  const parts = [
    `${formatCount(state.done)}/${formatCount(total)} done`,
    ...counts(state),
    formatCosts(state.cost, state.judgeCost, state.userCost),
    state.retries > 0 ? formatPlural(state.retries, 'retry') : '',
    running !== '' && names !== '' ? `${running}: ${names}` : running || names,
    left === '' ? '' : `about ${left}`,
  ];
  return `[${wholeSeconds(moment.elapsedSeconds)}] ${parts.filter((part) => part !== '').join(' · ')}`;
}

function counts({ passed, failed, unscored }: ProgressState): string[] {
  const scored = passed + failed;
  return [
    scored > 0 ? `${formatPercent(passed / scored)} pass` : '',
    failed > 0 ? `${formatCount(failed)} failed` : '',
    unscored > 0 ? `${formatCount(unscored)} not scored` : '',
  ];
}

/** The display of one moment: at most two lines, none wider than `width`. */
export function progressLines(options: Moment & { width: number; style: Style }): string[] {
  const { state, total, width, style } = options;
  const plain = (text: string) => text;
  const [rate = '', failed = '', unscored = ''] = counts(state);
  const barWidth = width >= 76 ? 24 : width >= 50 ? 12 : 6;
  const filled = bar(total > 0 ? state.done / total : 0, barWidth).replaceAll(' ', '░');

  const first: Part[] = [
    { text: filled, paint: style.cyan },
    { text: `${formatCount(state.done)}/${formatCount(total)}`, paint: style.bold },
    { text: rate, paint: style.green },
    { text: timeLeft(options), paint: plain },
    { text: failed, paint: style.red },
    { text: unscored, paint: style.magenta },
  ];
  const second: Part[] = [
    { text: wholeSeconds(options.elapsedSeconds), paint: style.dim },
    { text: formatCosts(state.cost, state.judgeCost, state.userCost), paint: style.dim },
    { text: state.retries > 0 ? formatPlural(state.retries, 'retry') : '', paint: style.yellow },
    { text: state.running > 0 ? `${formatCount(state.running)} running` : '', paint: style.dim },
  ];
  const current = { text: safeLine(state.current ?? '', width), paint: style.dim };
  return [joined(first, width), joined([...second, current], width)];
}

/** Estimated from the trials completed in this process, at least two. */
function timeLeft({ state, total, elapsedSeconds, doneBefore }: Moment): string {
  const completed = state.done - doneBefore;
  const left = total - state.done;
  if (completed < 2 || left <= 0 || elapsedSeconds <= 0) return '';
  return `${wholeSeconds((elapsedSeconds / completed) * left)} left`;
}

function wholeSeconds(seconds: number): string {
  return formatSeconds(Math.max(1, Math.round(seconds))).replace('.0s', 's');
}

/** The parts that fit. Only the last part may be shortened. */
function joined(parts: readonly Part[], available: number): string {
  let used = 0;
  let line = '';
  for (const { text, paint } of parts) {
    const gap = used === 0 ? 0 : 2;
    const room = available - used - gap;
    const fitting = parts.at(-1)?.text === text && room >= 8 ? shorten(text, room) : text;
    const width = displayWidth(fitting);
    if (fitting === '' || width > room) continue;
    line += ' '.repeat(gap) + paint(fitting);
    used += gap + width;
  }
  return line;
}
