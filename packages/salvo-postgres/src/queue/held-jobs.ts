import { LEASE_MS, type TakenJob, type Work } from 'salvo/kit/queue';
import type { Postgres } from '../postgres/postgres.ts';
import { endJob, failJobs, giveBackJobs, type LeasedJob, renewLeases } from './job-table.ts';
import { insertFailures } from './work-reports.ts';

interface HeldJob extends LeasedJob {
  work: Work;
  lost: AbortController;
  /** When its lease was last renewed: `performance.now()`. */
  renewedAt: number;
}

export interface Pace {
  /** How often leases are renewed and lost jobs looked for. */
  heartbeatMs: number;
  /** A job that failed is not tried again before. */
  retryDelaySeconds: number;
  /** Workers with jobs see a change of an order after this time, unless they hear of it. */
  ordersMs: number;
}

export interface HeldJobsOptions extends Pick<Pace, 'retryDelaySeconds'> {
  postgres: Postgres;
  redact: (text: string) => string;
}

/** A worker renews its leases more often than this, unless it was suspended or cut off. */
const SUSPENDED_MS = LEASE_MS / 2;

/** The jobs that a worker has leased. */
export class HeldJobs {
  readonly #options: HeldJobsOptions;
  readonly #held = new Map<string, HeldJob>();

  constructor(options: HeldJobsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Renews all leases, and aborts `lost` of the jobs that are another worker's by now. */
  async renew(): Promise<void> {
    const jobs = [...this.#held.values()];
    const askedAt = performance.now();
    const own = await renewLeases(this.#options.postgres, jobs);
    for (const job of jobs) {
      const isRenewed = own.get(job.jobId);
      if (isRenewed) job.renewedAt = askedAt;
      // It may have ended while the statement was under way.
      else if (isRenewed === undefined && this.#forget(job) && !job.hasEnded) job.lost.abort();
    }
  }

  hold(work: Work, leased: LeasedJob): TakenJob {
    const { postgres, retryDelaySeconds, redact } = this.#options;
    const held: HeldJob = Object.assign(leased, {
      work,
      lost: new AbortController(),
      renewedAt: performance.now(),
    });
    this.#held.set(keyOf(held), held);
    return {
      ...leased.job,
      work,
      attempt: leased.attempt,
      isUntouched: leased.token === 1,
      lost: held.lost.signal,
      lease: held,
      confirm: async () => {
        if (performance.now() - held.renewedAt > SUSPENDED_MS) await this.renew();
      },
      done: async () => {
        if (this.#forget(held) && !held.hasEnded) await endJob(postgres, held);
      },
      failed: async (reason) => {
        if (!this.#forget(held)) return;
        await postgres.transaction(async (sql) => {
          const givenUp = await failJobs(sql, work, { lease: held }, retryDelaySeconds);
          const failures = givenUp.map((job) => ({ ...job, reason: redact(reason) }));
          if (failures.length > 0) await insertFailures(sql, work, failures);
        });
      },
      giveBack: async () => {
        if (this.#forget(held)) await postgres.transaction((sql) => giveBackJobs(sql, work, [held]));
      },
    };
  }

  /** Gives back all jobs that have not ended. Returns how many these are. */
  async giveBackAll(): Promise<number> {
    const left = [...this.#held.values()].filter(({ hasEnded }) => !hasEnded);
    this.#held.clear();
    for (const { lost } of left) lost.abort();
    for (const jobs of Map.groupBy(left, ({ work }) => `${work.kind} ${work.id}`).values()) {
      const [first] = jobs;
      if (first) await this.#options.postgres.transaction((sql) => giveBackJobs(sql, first.work, jobs));
    }
    return left.length;
  }

  #forget(job: HeldJob): boolean {
    return this.#held.delete(keyOf(job));
  }
}

/** The same job may be taken a second time by a worker that has lost it. */
function keyOf({ jobId, token }: HeldJob): string {
  return `${jobId}:${token}`;
}
