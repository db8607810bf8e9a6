import { setTimeout as sleep } from 'node:timers/promises';
import { atWork, isGone, type Lease, leaseLost, thisHolder, type Work, type Worker } from '../../queue/lease.ts';
import type { HeldLease, LeaseTable } from './lease-table.ts';
import type { WriteQueue } from './write-queue.ts';

/** The leases that this process holds, and the check that keeps others from writing. */
export interface Leases {
  /**
   * Takes the lease, or throws when another process is at work. A holder that does not renew its lease is waited for
   * until the lease is over.
   */
  claim(work: Work): Promise<Lease>;
  /** Whoever works on it, as far as the store can tell. */
  holderOf(work: Work): Worker | null;
  /**
   * Asks the holder to stop: the first time after what is under way, the second time at once. It learns of it when it
   * renews its lease. Returns false when nobody works on it. Has to be called inside of a transaction.
   */
  askToStop(work: Work): boolean;
  /** Throws when another process holds the lease. Has to be called inside of the transaction that writes. */
  check(work: Work): void;
}

const BEATS_PER_LEASE = 10;
const LOOKS_PER_LEASE = 40;

export function createLeases(parts: { table: LeaseTable; queue: WriteQueue; leaseMs: number }): Leases {
  const { table, queue, leaseMs } = parts;
  const own = new Map<string, { token: number; lost: AbortController }>();
  const keyOf = ({ kind, id }: Work): string => `${kind} ${id}`;

  async function claim(work: Work): Promise<Lease> {
    let seen: HeldLease | null = null;
    let since = 0;
    for (;;) {
      // By a clock that nobody can set. The clock of the database may have been set back since the lease was renewed.
      const overdue: HeldLease | null = seen !== null && performance.now() - since >= leaseMs ? seen : null;
      const answer: number | HeldLease = await queue.write(() => takeUnlessHeld(work, overdue));
      if (typeof answer === 'number') return keep(work, answer);
      if (seen === null) since = performance.now();
      else if (!isSameBeat(seen, answer)) throw atWork(work, answer.holder);
      seen = answer;
      await sleep(leaseMs / LOOKS_PER_LEASE);
    }
  }

  /** The token, or the lease that another process holds. `overdue`: it was not renewed for the whole time. */
  function takeUnlessHeld(work: Work, overdue: HeldLease | null): number | HeldLease {
    const held = table.held(work);
    const isFree = held === null || held.isExpired || isGone(held.holder) || (overdue && isSameBeat(held, overdue));
    return isFree ? table.take(work, thisHolder()) : held;
  }

  function keep(work: Work, token: number): Lease {
    const [lost, stop, abort] = [new AbortController(), new AbortController(), new AbortController()];
    const lose = () => lost.abort(leaseLost(work));
    own.set(keyOf(work), { token, lost });
    const timer = setInterval(async () => {
      try {
        const stops = await queue.write(() => table.renew(work, token));
        if (stops === null) lose();
        else if (stops > 0) stop.abort();
        if (stops !== null && stops > 1) abort.abort();
      } catch {
        // A full disk, say. As long as nobody else takes the lease it can be renewed later.
      }
    }, leaseMs / BEATS_PER_LEASE);
    timer.unref();
    return {
      ...{ lost: lost.signal, stop: stop.signal, abort: abort.signal },
      async [Symbol.asyncDispose]() {
        clearInterval(timer);
        own.delete(keyOf(work));
        try {
          await queue.write(() => table.release(work, token));
        } catch {
          // It ends by itself.
        }
      },
    };
  }

  function holderOf(work: Work): Worker | null {
    const held = table.held(work);
    return held === null || held.isExpired || isGone(held.holder) ? null : { ...held.holder, stops: held.stops };
  }

  return {
    claim,
    holderOf,
    askToStop: (work) => holderOf(work) !== null && table.askToStop(work) !== null,
    check(work) {
      const mine = own.get(keyOf(work));
      const held = table.held(work);
      if (held === null ? mine === undefined : held.token === mine?.token) return;
      // Without a lease of its own, this process may write what nobody works on.
      if (mine === undefined && held !== null && (held.isExpired || isGone(held.holder))) return;
      const refusal = leaseLost(work);
      mine?.lost.abort(refusal);
      throw mine === undefined && held !== null ? atWork(work, held.holder) : refusal;
    },
  };
}

function isSameBeat(a: HeldLease, b: HeldLease): boolean {
  return a.token === b.token && a.beat === b.beat;
}
