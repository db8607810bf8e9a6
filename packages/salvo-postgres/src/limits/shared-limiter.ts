import { createGatedLimiter, type Limiter } from 'salvo/kit/models';
import type { RequestLease, RequestReport } from './request-limit.ts';
import { type After, afterTimeout, Pause, Timer } from './timers.ts';

export interface SharedLimiterOptions {
  limits: Pick<RequestReport, 'max_concurrency' | 'requests_per_minute'>;
  leaseRequests(report: RequestReport): Promise<RequestLease>;
  isReachable(): boolean;
  /** Milliseconds on a clock that always runs on. */
  nowMs?: (() => number) | undefined;
  after?: After | undefined;
}

const LONGEST_PAUSE_MS = 250;
/** A process that sends nothing for this time gives back what it has. */
const IDLE_MS = 1500;

/** A process's part of what a provider allows all of them together. */
export class SharedLimiter implements Limiter, AsyncDisposable {
  readonly #options: SharedLimiterOptions;
  readonly #nowMs: () => number;
  readonly #limiter: ReturnType<typeof createGatedLimiter>;
  readonly #pause: Pause;
  readonly #idling: Timer;
  #running = 0;
  #waiting = 0;
  /** What this process may use; null for any number. `#held` is what others cannot get before we report. */
  #slots: number | null = 0;
  #mayStart: number | null = 0;
  #held = 0;
  /** When requests started that were not reported. */
  #started: number[] = [];
  #reports = 0;
  #underWay: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: SharedLimiterOptions) {
    const { nowMs = () => performance.now(), after = afterTimeout } = options;
    this.#options = options;
    this.#nowMs = nowMs;
    this.#pause = new Pause(after, LONGEST_PAUSE_MS, () => this.#limiter.letIn());
    this.#idling = new Timer(after, () => this.#startRenewal());
    this.#limiter = createGatedLimiter({
      enter: () => this.#enter(),
      leave: () => {
        this.#running -= 1;
      },
      wait: (requests) => {
        this.#waiting = requests;
        this.#consider();
      },
    });
  }

  run: Limiter['run'] = (send, signal, whileWaiting) => this.#limiter.run(send, signal, whileWaiting);

  /** Another process waits: whatever is not in use is given back. */
  giveBack(): void {
    // Also when all is in use: this may have been long enough.
    if (this.#running > 0 || this.#hasSurplus()) this.#startRenewal();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#underWay;
    if (this.#hasSurplus() || this.#started.length > 0) await this.#renew();
    this.#idling.stop();
    this.#pause.stop();
  }

  #enter(): boolean {
    const hasSlot = this.#slots === null || this.#running < this.#slots;
    if (!hasSlot || this.#mayStart === 0 || !this.#options.isReachable()) return false;
    this.#running += 1;
    if (this.#mayStart !== null) this.#mayStart -= 1;
    if (this.#options.limits.requests_per_minute !== null) this.#started.push(this.#nowMs());
    return true;
  }

  #consider(): void {
    if (this.#underWay || this.#isClosed) return;
    // A slot that has to be given up is given up as soon as its request has ended.
    const hasToReport = this.#slots !== null && this.#held > this.#slots && this.#running < this.#held;
    const isIdle = this.#running === 0 && this.#waiting === 0 && (this.#hasSurplus() || this.#started.length > 0);
    if ((this.#waiting > 0 && !this.#pause.isRunning) || hasToReport) this.#startRenewal();
    else if (isIdle) this.#idling.start(IDLE_MS);
    else this.#idling.stop();
  }

  #hasSurplus(): boolean {
    return this.#held > this.#running || (this.#mayStart ?? 0) > 0;
  }

  #startRenewal(): void {
    if (this.#isClosed || this.#underWay) return;
    this.#idling.stop();
    this.#underWay = this.#renew().then(
      () => {
        this.#underWay = null;
        this.#limiter.letIn();
      },
      (error: unknown) => {
        this.#underWay = null;
        this.#limiter.fail(error);
      },
    );
  }

  async #renew(): Promise<void> {
    const { limits, leaseRequests } = this.#options;
    const running = this.#running;
    const report: RequestReport = {
      ...limits,
      number: this.#reports,
      running,
      waiting: this.#isClosed ? 0 : this.#waiting,
      started: this.#started.map((at) => this.#nowMs() - at),
    };
    this.#reports += 1;
    this.#started = [];
    // Whatever is given back may be another's before the answer is here.
    if (limits.max_concurrency !== null) this.#slots = running;
    if (limits.requests_per_minute !== null) this.#mayStart = 0;
    const { slots, mayStart, retryMs } = await leaseRequests(report);
    this.#slots = slots;
    this.#mayStart = mayStart;
    this.#held = slots === null ? 0 : Math.max(running, slots);
    const free = slots === null ? Number.POSITIVE_INFINITY : slots - this.#running;
    if (Math.min(free, mayStart ?? Number.POSITIVE_INFINITY) < this.#waiting) {
      this.#pause.start(retryMs);
      return;
    }
    this.#pause.stop();
    this.#pause.reset();
  }
}
