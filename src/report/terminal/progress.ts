import { safeBlock } from '../../text/safe-text.ts';
import { type ProgressState, progressLines } from './progress-lines.ts';
import { createStyle, visibleWidth } from './style.ts';
import { wrap } from './wrap.ts';

export interface ProgressOutput {
  write(text: string): void;
  isTTY: boolean;
  /** Read for every frame, so that the display follows a resized terminal. */
  readonly columns: number;
  color: boolean;
}

export interface Progress {
  update(state: ProgressState): void;
  /** A line that stays above the display. Also written when there is no display, so that logs have it. */
  note(text: string): void;
  /** Removes the display for good. */
  finish(): void;
}

const FRAME_MS = 100;
const IDLE_MS = 1000;

/**
 * Live progress on a terminal; silent elsewhere. The cursor is never hidden, because a killed process could not show it
 * again. The timer does not keep the process alive.
 */
export function createProgress(options: {
  output: ProgressOutput;
  total: number;
  /** Milliseconds. */
  now: () => number;
  /** Trials of an earlier process, which took no time now. */
  done?: number;
  /** A terminal without escape sequences (TERM=dumb) has no live display. */
  ascii?: boolean;
}): Progress {
  const { output, total, now } = options;
  const style = createStyle(output.color);
  const startedAt = now();
  let state: ProgressState | null = null;
  let drawn: string[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let finished = false;

  const live = output.isTTY && !options.ascii;
  const columns = () => (output.columns > 0 ? output.columns : 80);

  /** Moves to the first column of the first line drawn, and clears from there. */
  const clear = (): string => {
    if (drawn.length === 0) return '';
    // In a terminal that has become narrower, the old lines take more rows.
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(visibleWidth(line) / columns())), 0);
    drawn = [];
    return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`;
  };

  const draw = (before = ''): void => {
    const clearing = clear();
    if (state !== null && !finished) {
      // The last column stays free, because writing there starts a new row on some terminals; and two more for the
      // "^C" that a terminal itself writes.
      drawn = progressLines({
        state,
        total,
        elapsedSeconds: (now() - startedAt) / 1000,
        doneBefore: options.done ?? 0,
        width: columns() - 3,
        style,
      });
    }
    const text = clearing + before + drawn.join('\n');
    if (text !== '') output.write(text);
    drawnAt = now();
    schedule(IDLE_MS);
  };

  const schedule = (delay: number): void => {
    clearTimeout(timer);
    if (finished) return;
    timer = setTimeout(draw, delay);
    timer.unref();
  };

  return {
    update(next) {
      if (finished || !live) return;
      state = next;
      const wait = drawnAt + FRAME_MS - now();
      if (wait <= 0) draw();
      else schedule(wait);
    },
    note(text) {
      const safe = safeBlock(text);
      if (live && !finished) draw(`${wrap(safe, columns() - 1).join('\n')}\n`);
      else output.write(`${safe}\n`);
    },
    finish() {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      const clearing = clear();
      if (clearing !== '') output.write(clearing);
    },
  };
}
