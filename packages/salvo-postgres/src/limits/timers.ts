/** Calls `run` after so many milliseconds, unless the returned function is called before. */
export type After = (ms: number, run: () => void) => () => void;

export const afterTimeout: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Runs something after a time, unless it is stopped before. */
export class Timer {
  readonly #after: After;
  readonly #run: () => void;
  #cancel: (() => void) | null = null;

  constructor(after: After, run: () => void) {
    this.#after = after;
    this.#run = run;
  }

  get isRunning(): boolean {
    return this.#cancel !== null;
  }

  /** A timer that runs already goes on. */
  start(ms: number): void {
    this.#cancel ??= this.#after(ms, () => {
      this.#cancel = null;
      this.#run();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}

const SHORTEST_PAUSE_MS = 50;

/** How long to wait before asking again. The pause doubles each time, until there was something. */
export class Pause extends Timer {
  readonly #longestMs: number;
  #ms = SHORTEST_PAUSE_MS;

  constructor(after: After, longestMs: number, run: () => void) {
    super(after, run);
    this.#longestMs = longestMs;
  }

  override start(atLeastMs = 0): void {
    this.stop();
    super.start(Math.max(atLeastMs, this.#ms));
    this.#ms = Math.min(2 * this.#ms, this.#longestMs);
  }

  reset(): void {
    this.#ms = SHORTEST_PAUSE_MS;
  }
}
