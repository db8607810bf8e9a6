import { displayWidth, safeLine, shorten } from '../../text/safe-text.ts';
import { bar } from './bar.ts';
import { formatCosts, formatCount, formatPercent, formatPlural, formatSeconds } from './format.ts';
import type { Style } from './style.ts';

/** The progress of a run. Counts include the trials of before a resume. */
export interface ProgressState {
  done: number;
  passed: number;
  /** Hard fails included. */
  failed: number;
  unscored: number;
  /** So far; null when part of it is unknown. */
  costUsd: number | null;
  /** Cost of judges, which is not part of `costUsd`. */
  judgeCostUsd: number | null;
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

/** The display of one moment: at most two lines, none wider than `width`. */
export function progressLines(options: {
  state: ProgressState;
  total: number;
  elapsedSeconds: number;
  doneBefore: number;
  width: number;
  style: Style;
}): string[] {
  const { state, total, width, style } = options;
  const plain = (text: string) => text;
  const scored = state.passed + state.failed;
  const barWidth = width >= 76 ? 24 : width >= 50 ? 12 : 6;
  const filled = bar(total > 0 ? state.done / total : 0, barWidth).replaceAll(' ', '░');

  const first: Part[] = [
    { text: filled, paint: style.cyan },
    { text: `${formatCount(state.done)}/${formatCount(total)}`, paint: style.bold },
    { text: scored > 0 ? `${formatPercent(state.passed / scored)} pass` : '', paint: style.green },
    { text: timeLeft(options), paint: plain },
    { text: state.failed > 0 ? `${formatCount(state.failed)} failed` : '', paint: style.red },
    { text: state.unscored > 0 ? `${formatCount(state.unscored)} not scored` : '', paint: style.magenta },
  ];
  const second: Part[] = [
    { text: wholeSeconds(options.elapsedSeconds), paint: style.dim },
    { text: formatCosts({ usd: state.costUsd }, { usd: state.judgeCostUsd }), paint: style.dim },
    { text: state.retries > 0 ? formatPlural(state.retries, 'retry') : '', paint: style.yellow },
    { text: state.running > 0 ? `${formatCount(state.running)} running` : '', paint: style.dim },
  ];
  const current = { text: safeLine(state.current ?? '', width), paint: style.dim };
  return [joined(first, width), joined([...second, current], width)];
}

/** Estimated from the trials completed in this process, at least two. */
function timeLeft({ state, total, elapsedSeconds, doneBefore }: Parameters<typeof progressLines>[0]): string {
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
