import { createGatedLimiter, type Limiter } from 'salvo/kit/models';
import type { ShareAnswer, ShareStatement } from './provider-shares.ts';
import type { After } from './shared-budget.ts';

/** A process's part of what a provider allows all of them together. */
export interface SharedLimiter extends Limiter, AsyncDisposable {
  /** Another process waits: whatever is not in use is given back. */
  giveBack(): void;
}

export interface SharedLimiterOptions {
  limits: Pick<ShareStatement, 'max_concurrency' | 'requests_per_minute'>;
  takeShare(statement: ShareStatement): Promise<ShareAnswer>;
  isHeard(): boolean;
  /** Milliseconds on a clock that always runs on. */
  nowMs?: (() => number) | undefined;
  after?: After | undefined;
}

/** How long to wait before asking again, if nothing else is said. The pause doubles each time. */
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 250;
/** A process that sends nothing for this time gives back what it has. */
const IDLE_MS = 1500;

export function createSharedLimiter(options: SharedLimiterOptions): SharedLimiter {
  const { limits, takeShare, isHeard, nowMs = () => performance.now(), after = afterTimeout } = options;
  let running = 0;
  let waiting = 0;
  /** What this process may use; null for any number. `held` is what others cannot get before we report. */
  let slots: number | null = 0;
  let permits: number | null = 0;
  let held = 0;
  let started: number[] = [];
  let statements = 0;
  let underWay: Promise<void> | null = null;
  let pause: (() => void) | null = null;
  let pauseMs = SHORTEST_PAUSE_MS;
  let idle: (() => void) | null = null;
  let isClosed = false;

  const limiter = createGatedLimiter({
    enter() {
      if ((slots !== null && running >= slots) || permits === 0 || !isHeard()) return false;
      running += 1;
      if (permits !== null) permits -= 1;
      if (limits.requests_per_minute !== null) started.push(nowMs());
      return true;
    },
    leave() {
      running -= 1;
    },
    wait(requests) {
      waiting = requests;
      consider();
    },
  });

  function consider(): void {
    if (underWay || isClosed) return;
    // A slot that has to be given up is given up as soon as its request has ended.
    const hasToReport = slots !== null && held > slots && running < held;
    if ((waiting > 0 && pause === null) || hasToReport) {
      underWay = exchange();
      return;
    }
    const isIdle = running === 0 && waiting === 0 && (hasSurplus() || started.length > 0);
    if (isIdle && idle === null) idle = after(IDLE_MS, exchangeIfIdle);
    if (!isIdle) stopIdling();
  }

  function exchangeIfIdle(): void {
    idle = null;
    if (!isClosed) underWay ??= exchange();
  }

  async function exchange(): Promise<void> {
    stopIdling();
    const failure = await settle().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    underWay = null;
    if (failure) limiter.fail(failure.error);
    else limiter.letIn();
  }

  async function settle(): Promise<void> {
    const statement: ShareStatement = {
      ...limits,
      number: statements,
      running,
      waiting: isClosed ? 0 : waiting,
      started: started.map((at) => nowMs() - at),
    };
    statements += 1;
    started = [];
    // Whatever is given back may be another's before the answer is here.
    if (limits.max_concurrency !== null) slots = running;
    if (limits.requests_per_minute !== null) permits = 0;
    const answer = await takeShare(statement);
    slots = answer.slots;
    permits = answer.permits;
    held = slots === null ? 0 : Math.max(statement.running, slots);
    const served = Math.min((slots ?? Number.POSITIVE_INFINITY) - running, permits ?? Number.POSITIVE_INFINITY);
    pause?.();
    pause = null;
    if (served >= waiting) {
      pauseMs = SHORTEST_PAUSE_MS;
      return;
    }
    pause = after(Math.max(answer.retryMs, pauseMs), () => {
      pause = null;
      limiter.letIn();
    });
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  function stopIdling(): void {
    idle?.();
    idle = null;
  }

  function hasSurplus(): boolean {
    return held > running || (permits ?? 0) > 0;
  }

  return {
    run: (send, signal, whileWaiting) => limiter.run(send, signal, whileWaiting),
    giveBack() {
      // Also when all is in use: this may have been long enough.
      if (!isClosed && (running > 0 || hasSurplus())) underWay ??= exchange();
    },
    async [Symbol.asyncDispose]() {
      if (isClosed) return;
      isClosed = true;
      stopIdling();
      pause?.();
      await underWay;
      if (hasSurplus() || started.length > 0) await settle();
      pause?.();
    },
  };
}

const afterTimeout: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
