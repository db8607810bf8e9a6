import type { TakenJob } from 'salvo/kit/queue';

/** A worker takes jobs in advance if they take less than this. No model that is paid for is as quick. */
const QUICK_MS = 40;
/** So many times its concurrency it takes at the most: results are stored together, and jobs taken together. */
const MOST_ROUNDS = 4;
/** A job that has waited for this long is for another worker. */
const LATE_MS = 400;

interface WaitingJob {
  since: number;
  begin(): void;
  leave(): void;
}

/** Lets no more jobs run at once than the concurrency of a worker. The others that it has taken wait for their turn. */
export class JobSlots {
  readonly #concurrency: number;
  readonly #waiting: WaitingJob[] = [];
  #running = 0;
  /** How long the last job ran until it had a result. */
  #tookMs = Number.POSITIVE_INFINITY;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** How many jobs the worker may have: what is running, what waits for its turn, and what is being stored. */
  get most(): number {
    return this.#tookMs < QUICK_MS ? this.#concurrency * MOST_ROUNDS : this.#concurrency;
  }

  /** Performs the job in its turn, or gives it back. The next one begins as soon as this one has a result to store. */
  async perform(job: TakenJob, perform: (job: TakenJob) => Promise<boolean>): Promise<boolean> {
    if (this.#running < this.#concurrency) this.#running += 1;
    else if (!(await this.#turn())) {
      await job.giveBack().catch(() => {});
      return false;
    }
    const began = performance.now();
    let isRunning = true;
    const end = (): void => {
      if (!isRunning) return;
      isRunning = false;
      const next = this.#waiting.shift();
      if (next) next.begin();
      else this.#running -= 1;
    };
    job.lease.onResult = () => {
      this.#tookMs = performance.now() - began;
      end();
    };
    return await perform(job).finally(end);
  }

  /** Gives back what has waited for too long: the jobs before it were slower than expected. */
  leaveLate(): void {
    const isLate = ({ since }: WaitingJob): boolean => performance.now() - since > LATE_MS;
    if (!this.#waiting.some(isLate)) return;
    this.#tookMs = Number.POSITIVE_INFINITY;
    for (const { leave } of this.#waiting.splice(0)) leave();
  }

  #turn(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiting.push({
        since: performance.now(),
        begin: () => resolve(true),
        leave: () => resolve(false),
      });
    });
  }
}
