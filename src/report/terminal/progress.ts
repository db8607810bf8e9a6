import { displayWidth, safeBlock } from '../../text/safe-text.ts';
import { type ProgressState, progressLines } from './progress-lines.ts';
import { createStyle } from './style.ts';
import { wrap } from './wrap.ts';

export interface ProgressOutput {
  write(text: string): void;
  isTTY: boolean;
  /** Read anew for every frame, so that the display follows a resized terminal. */
  readonly columns: number;
  color: boolean;
}

export interface Progress {
  update(state: ProgressState): void;
  /** A line that stays, above the display; written to any output, as a warning must not get lost in a log. */
  note(text: string): void;
  /** Takes the display away. Nothing is drawn afterwards. */
  finish(): void;
}

const FRAME_MS = 100;
const IDLE_MS = 1000;

/**
 * Live progress on a terminal; silent elsewhere. The cursor is never hidden: a killed process could not bring it back.
 * The timer keeps no process alive.
 */
export function createProgress(options: {
  output: ProgressOutput;
  total: number;
  /** Milliseconds. */
  now: () => number;
  /** Trials that were there before, and took no time now. */
  done?: number;
  /** A terminal that knows no escape sequences either (TERM=dumb): there is no live display then. */
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

  /** Back to the first column of the first line drawn, and clear from there. */
  const clear = (): string => {
    if (drawn.length === 0) return '';
    // A terminal that has become narrower broke the old lines into more rows.
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(visibleWidth(line) / columns())), 0);
    drawn = [];
    return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`;
  };

  const draw = (before = ''): void => {
    const clearing = clear();
    if (state !== null && !finished) {
      // The last column stays free, for writing there would make some terminals begin a new row; and two more, for the
      // "^C" that a terminal writes itself when it is pressed.
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

function visibleWidth(line: string): number {
  return displayWidth(line.replaceAll(/\u001b\[\d+m/g, ''));
}
