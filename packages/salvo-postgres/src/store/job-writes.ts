import type { JobLease } from 'salvo/kit/queue';
import { errorCode, SalvoError } from 'salvo/kit/text';
import type { Transaction } from '../postgres/postgres.ts';
import { holdLeases } from '../queue/job-table.ts';
import type { StoreDatabase, Write } from './store-database.ts';
import { saveRows, type TrialRow } from './trial-writes.ts';

/** A write that is refused if its job is another worker's by now. */
export interface JobWrite<T> extends Write<T> {
  lease: JobLease;
  /** Whether the job ends with it. */
  ends: boolean;
  /** What one statement can write for several jobs, and the value then. */
  row?: { values: TrialRow; value: T } | undefined;
  /** Whether the write was made before, by a transaction whose commit got no answer. */
  isMade?(sql: Transaction): Promise<{ value: T } | null>;
}

interface Waiting {
  texts: ReadonlyMap<string, string>;
  lease: JobLease;
  ends: boolean;
  row: TrialRow | undefined;
  /** Writes inside of a transaction, unless its row is written. Returns what is called after the commit. */
  apply(sql: Transaction, state: { isHeld: boolean; isWritten: boolean }): Promise<() => void>;
  reject(error: unknown): void;
  /** A transaction that had it may have been committed. */
  mayBeMade: boolean;
}

/** So many writes share a transaction. */
const MOST_AT_ONCE = 64;
/** Writes that come within this time share a transaction: the begin and the end of one cost more than most writes. */
const GATHER_MS = 2;

/** Writes the results of jobs, several in one transaction. */
export class JobWrites {
  readonly #database: StoreDatabase;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  write<T>({ texts, change, lease, ends, row, isMade }: JobWrite<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const apply: Waiting['apply'] = async (sql, { isHeld, isWritten }) => {
        if (isHeld) {
          if (ends) lease.hasEnded = true;
          const value = row && isWritten ? row.value : await change(sql);
          return () => resolve(value);
        }
        const made = sql.isRepeated ? await isMade?.(sql) : null;
        if (!made) throw jobLost();
        return () => resolve(made.value);
      };
      this.#waiting.push({ texts, lease, ends, row: row?.values, apply, reject, mayBeMade: false });
      if (ends) lease.onResult?.();
      void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      const group = this.#waiting.splice(0, MOST_AT_ONCE);
      await this.#writeGroup(group).catch((error: unknown) => {
        // One of them can't be written. The others must not suffer from it.
        for (const each of group)
          if (errorCode(error) === 'DATABASE_UNREACHABLE') each.reject(error);
          else this.#writeAlone(each);
      });
    }
    this.#isWriting = false;
  }

  #writeAlone(each: Waiting): void {
    void this.#writeGroup([each], { isAlone: true }).catch(each.reject);
  }

  /**
   * Jobs that are lost or locked, as by a heartbeat, are left out, and written alone afterwards. `isAlone`: it waits for
   * whoever has locked the job, and is refused for good if the job is lost.
   */
  async #writeGroup(group: readonly Waiting[], { isAlone } = { isAlone: false }): Promise<void> {
    const texts = new Map(group.flatMap((each) => [...each.texts]));
    const change = async (sql: Transaction): Promise<(() => void)[]> => {
      const held = new Set(sql.first.at(-1)?.map(({ job_id }) => job_id));
      for (const each of group) each.mayBeMade ||= sql.isRepeated;
      const isOurs = ({ lease }: Waiting): boolean => held.has(lease.jobId);
      const ours = isAlone ? group : group.filter(isOurs);
      const written = await this.#writeRows(sql, isAlone ? [] : ours);
      const finish = group.filter((each) => !ours.includes(each)).map((each) => () => this.#writeAlone(each));
      for (const each of ours) {
        const state = { isHeld: isOurs(each), isWritten: written.has(each) };
        finish.push(await each.apply({ ...sql, isRepeated: each.mayBeMade }, state));
      }
      return finish;
    };
    for (const call of await this.#database.write({ texts, change }, holdLeases(group, { waits: isAlone }))) call();
  }

  /** Returns those whose row was written. */
  async #writeRows(sql: Transaction, group: readonly Waiting[]): Promise<Set<Waiting>> {
    const given = group.flatMap((each) => (each.row ? [{ each, row: each.row }] : []));
    if (given.length < 2) return new Set();
    const written = await saveRows(
      sql,
      given.map(({ row }) => row),
    );
    return new Set(given.flatMap(({ each }, index) => (written[index] ? [each] : [])));
  }
}

/** A worker that was not heard of for too long has lost its jobs. */
function jobLost(): SalvoError {
  return new SalvoError(
    'JOB_LOST',
    'Another worker has taken over this job, because this one was not heard of for too long. Nothing was stored.',
    { outcome: 'unscored' },
  );
}
