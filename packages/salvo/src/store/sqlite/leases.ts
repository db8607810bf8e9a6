import { type Lease, thisHolder, type Work, type Worker } from '../../queue/lease.ts';
import { mayTake, ownLeases, workerOf } from '../leases/own-leases.ts';
import type { LeaseTable } from './lease-table.ts';
import type { WriteQueue } from './write-queue.ts';

/** The leases that this process holds, and the check that keeps others from writing. */
export interface Leases {
  /**
   * Takes the lease, or throws when another process is at work. A holder that does not renew its lease is waited for
   * until the lease is over.
   */
  claim(work: Work): Promise<Lease>;
  /** The process that works on it, as far as the store can tell. */
  holderOf(work: Work): Worker | null;
  /**
   * Asks the holder to stop: the first time after what is under way, the second time at once. It learns of it when it
   * renews its lease. Returns false when nobody works on it. Has to be called inside of a transaction.
   */
  askToStop(work: Work): boolean;
  /** Throws when another process holds the lease. Has to be called inside of the transaction that writes. */
  check(work: Work): void;
}

export function createLeases(parts: { table: LeaseTable; queue: WriteQueue; leaseMs: number }): Leases {
  const { table, queue, leaseMs } = parts;
  /** What was checked in the transaction under way: until it ends, no other process can take a lease. */
  const checked = { transaction: 0, works: new Set<string>() };
  const own = ownLeases(
    {
      canAttach: false,
      take: (work, overdue) =>
        queue.write(() => {
          const held = table.held(work);
          checked.works.clear();
          return held === null || mayTake(held, overdue) ? table.take(work, thisHolder()) : held;
        }),
      renew: (work, token) => queue.write(() => table.renew(work, token)),
      release: (work, token) =>
        queue.write(() => {
          checked.works.clear();
          table.release(work, token);
        }),
    },
    leaseMs,
  );
  return {
    claim: own.claim,
    holderOf: (work) => workerOf(table.held(work)),
    askToStop: (work) => workerOf(table.held(work)) !== null && table.askToStop(work) !== null,
    check(work) {
      if (checked.transaction !== queue.transaction) checked.works.clear();
      checked.transaction = queue.transaction;
      const key = `${work.kind} ${work.id}`;
      if (checked.works.has(key)) return;
      // Who holds it is read only if it is not this process.
      if (!own.isHeldWith(work, table.tokenOf(work))) own.check(work, table.held(work));
      checked.works.add(key);
    },
  };
}
