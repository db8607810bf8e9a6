import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { MOST_ATTEMPTS } from '../../packages/salvo/src/queue/work-queue.ts';
import { seededRandom } from '../../packages/salvo/src/stats/seeded-random.ts';
import type { StartedCli } from '../../test/cli/cli-fixture.ts';
import type { TestDatabase } from '../../test/postgres.ts';
import type { PostgresServer } from '../../test/postgres-server.ts';

/** Each of these happens once in ten faults, in an order that the seed decides. */
const DECK = [
  'kill',
  'kill',
  'kill client',
  'pause',
  'pause',
  'pause client',
  'cut',
  'cut',
  'restart',
  'crash',
] as const;

export type FaultName = (typeof DECK)[number];

/** Longer than the lease of a job or a run, which is 10 s. */
const PAUSE_MS = { least: 12_000, most: 18_000 };
/** How long PostgreSQL is down. */
const DOWN_MS = { least: 200, most: 4000 };
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

const workerSchema = z.object({ pid: z.int() });

/** What faults happen to. */
export interface Victims {
  postgres: PostgresServer;
  database: TestDatabase;
  /** The process that the user has started, or that follows the run for him. */
  client(): StartedCli;
  workers: StartedCli[];
  startWorker(): StartedCli;
}

/** Faults in an order that depends on the seed alone. */
export class ChaosFaults {
  readonly #victims: Victims;
  readonly #random: () => number;
  readonly #paused = new Map<StartedCli, Promise<void>>();
  #deck: FaultName[] = [];
  /** How often each happened. */
  readonly counts = new Map<FaultName, number>();

  constructor(victims: Victims, seed: number) {
    this.#victims = victims;
    this.#random = seededRandom(seed, 'chaos');
  }

  /** The next fault happens. Pauses end later. */
  async next(): Promise<FaultName> {
    if (this.#deck.length === 0) this.#deck = this.#shuffled();
    const fault = this.#deck.pop() ?? 'kill';
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    await this.#happen(fault);
    return fault;
  }

  /** Processes that are paused go on, after their time. */
  async allResumed(): Promise<void> {
    await Promise.all(this.#paused.values());
  }

  /** Whether a call before the fault should be answered before it, so that the workers are at any point of their work. */
  isBetweenCalls(): boolean {
    return this.#random() < 0.5;
  }

  async #happen(fault: FaultName): Promise<void> {
    const { postgres, database, client } = this.#victims;
    if (fault === 'kill client') return await killed(client());
    if (fault === 'pause client') return this.#pause(client());
    if (fault === 'cut') return void (await database.query(CUT));
    if (fault === 'kill' || fault === 'pause') return await this.#atWorker(fault);
    await (fault === 'restart' ? postgres.stop() : postgres.crash());
    await sleep(this.#between(DOWN_MS));
    await postgres.start();
  }

  async #atWorker(fault: 'kill' | 'pause'): Promise<void> {
    const { workers, startWorker } = this.#victims;
    const spared = await this.#onLastAttempt();
    const awake = workers.filter((worker) => !this.#paused.has(worker) && !spared.has(worker.child.pid));
    const victim = awake[Math.floor(this.#random() * awake.length)];
    if (!victim) return;
    if (fault === 'pause') return this.#pause(victim);
    await killed(victim);
    workers[workers.indexOf(victim)] = startWorker();
  }

  /** The ids of processes with a job that is given up if it is lost once more, as it should be. */
  async #onLastAttempt(): Promise<ReadonlySet<number | undefined>> {
    const rows = await this.#victims.database.query(
      `SELECT workers.document FROM salvo.jobs JOIN salvo.workers USING (worker_id)
       WHERE state = 'active' AND attempt >= ${MOST_ATTEMPTS}`,
    );
    return new Set(rows.map(({ document }) => workerSchema.parse(JSON.parse(String(document))).pid));
  }

  #pause(victim: StartedCli): void {
    if (this.#paused.has(victim)) return;
    victim.child.kill('SIGSTOP');
    const resumed = sleep(this.#between(PAUSE_MS)).then(() => {
      victim.child.kill('SIGCONT');
      this.#paused.delete(victim);
    });
    this.#paused.set(victim, resumed);
  }

  #between({ least, most }: { least: number; most: number }): number {
    return least + this.#random() * (most - least);
  }

  #shuffled(): FaultName[] {
    return DECK.map((fault) => ({ fault, place: this.#random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ fault }) => fault);
  }
}

async function killed({ child, result }: StartedCli): Promise<void> {
  child.kill('SIGKILL');
  await result;
}
