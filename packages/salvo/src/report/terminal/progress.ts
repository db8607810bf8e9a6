import { safeBlock } from '../../text/output/safe-text.ts';
import { asciiSymbols, createStyle, visibleWidth } from './look.ts';
import { type ProgressState, progressLine, progressLines } from './progress-lines.ts';
import { wrap } from './wrap.ts';

interface ProgressOutput {
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

interface ProgressOptions {
  output: ProgressOutput;
  total: number;
  /** Milliseconds. */
  now: () => number;
  /** Trials of an earlier process, which took no time now. */
  done?: number | undefined;
  /** A terminal without escape sequences (TERM=dumb) has no live display. */
  dumb?: boolean | undefined;
  /** A terminal without Unicode. */
  ascii?: boolean | undefined;
  /** Nothing is shown but notes. */
  quiet?: boolean | undefined;
}

const FRAME_MS = 100;
const IDLE_MS = 1000;
const LINE_MS = 10_000;

/** Live progress on a terminal; elsewhere, such as in CI, a line every ten seconds. Timers keep no process alive. */
export function createProgress(options: ProgressOptions): Progress {
  if (options.quiet) return { update: () => {}, note: (text) => writeLine(options, safeBlock(text)), finish: () => {} };
  return options.output.isTTY && !options.dumb ? createDisplay(options) : createLines(options);
}

/** The cursor is never hidden, because a killed process could not show it again. */
function createDisplay(options: ProgressOptions): Progress {
  const { output, total, now } = options;
  const style = createStyle(output.color);
  const startedAt = now();
  let state: ProgressState | null = null;
  let drawn: string[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let finished = false;

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
    if (text !== '') output.write(options.ascii ? asciiSymbols(text) : text);
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
      if (finished) return;
      state = next;
      const wait = drawnAt + FRAME_MS - now();
      if (wait <= 0) draw();
      else schedule(wait);
    },
    note(text) {
      if (finished) writeLine(options, safeBlock(text));
      else draw(`${wrap(safeBlock(text), columns() - 1).join('\n')}\n`);
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

/** For logs. Every line is one write, so that lines of other processes cannot get into it. */
function createLines(options: ProgressOptions): Progress {
  const { total, now } = options;
  const startedAt = now();
  let state: ProgressState | null = null;
  const timer = setInterval(() => {
    if (state === null) return;
    const elapsedSeconds = (now() - startedAt) / 1000;
    writeLine(options, progressLine({ state, total, elapsedSeconds, doneBefore: options.done ?? 0 }));
  }, LINE_MS);
  timer.unref();
  return {
    update(next) {
      state = next;
    },
    note: (text) => writeLine(options, safeBlock(text)),
    finish: () => clearInterval(timer),
  };
}

function writeLine({ output, ascii }: ProgressOptions, line: string): void {
  output.write(`${ascii ? asciiSymbols(line) : line}\n`);
}
