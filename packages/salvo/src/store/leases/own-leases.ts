import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  atWork,
  type Holder,
  holderSchema,
  isGone,
  type Lease,
  leaseLost,
  type Work,
  type Worker,
} from '../../queue/lease.ts';
import { unreadable } from '../documents/document-codec.ts';

/** A lease that some process holds. */
export interface HeldLease {
  /** Increases whenever the lease changes hands. A write with an older token is refused. */
  token: number;
  /** Increases whenever the lease is renewed. */
  beat: number;
  holder: Holder;
  /** How often the holder was asked to stop. */
  stops: number;
  /** By the clock of the database. */
  isExpired: boolean;
}

/** As the databases return it. */
const rowSchema = z.object({
  token: z.coerce.number(),
  beat: z.coerce.number(),
  holder: z.string(),
  stops: z.int(),
  is_expired: z.union([z.boolean(), z.literal(0), z.literal(1)]),
});

/** A lease as its row says; null without a row. */
export function readHeldLease(row: unknown, { kind, id }: Work, place: string): HeldLease | null {
  if (row === undefined) return null;
  try {
    const { is_expired, holder, ...counts } = rowSchema.parse(row);
    return { ...counts, holder: holderSchema.parse(JSON.parse(holder)), isExpired: Boolean(is_expired) };
  } catch (cause) {
    throw unreadable(place, `The lease of ${kind} ${id}`, undefined, cause);
  }
}

/** What leases need of a database. Each function is a transaction. */
export interface LeaseActions {
  /** Whether other processes can follow the work with `salvo attach`. */
  canAttach: boolean;
  /** Takes it if `mayTake` says so, and returns the new token; otherwise the lease that another process holds. */
  take(work: Work, overdue: HeldLease | null): Promise<number | HeldLease>;
  /** Returns how often its holder was asked to stop; null when another process has taken it. */
  renew(work: Work, token: number): Promise<number | null>;
  release(work: Work, token: number): Promise<void>;
}

const BEATS_PER_LEASE = 10;
const LOOKS_PER_LEASE = 40;
/**
 * After an outage of the database all leases have expired, and their holders are about to renew them. So a lease is over
 * only if it is not renewed for this part of its time while it can be watched.
 */
const GRACE = 0.4;

/** The leases that this process holds, and the check that keeps it from writing what others work on. */
export function ownLeases({ take, renew, release, canAttach }: LeaseActions, leaseMs: number) {
  const own = new Map<string, { token: number; lost: AbortController }>();
  const keyOf = ({ kind, id }: Work): string => `${kind} ${id}`;

  async function claim(work: Work): Promise<Lease> {
    let seen: HeldLease | null = null;
    let since = 0;
    for (;;) {
      // By a clock that nobody can set. The clock of the database may have been set back since the lease was renewed.
      const waitMs = seen?.isExpired ? leaseMs * GRACE : leaseMs;
      const overdue: HeldLease | null = seen !== null && performance.now() - since >= waitMs ? seen : null;
      const answer: number | HeldLease = await take(work, overdue);
      if (typeof answer === 'number') return keep(work, answer);
      if (seen === null) since = performance.now();
      else if (!isSameBeat(seen, answer)) throw atWork(work, answer.holder, { canAttach });
      seen = answer;
      await sleep(leaseMs / LOOKS_PER_LEASE);
    }
  }

  function keep(work: Work, token: number): Lease {
    const [lost, stop, abort] = [new AbortController(), new AbortController(), new AbortController()];
    own.set(keyOf(work), { token, lost });
    // In a long outage of the database, one renewal waits for it, and not one more each second.
    let isRenewing = false;
    const timer = setInterval(async () => {
      if (isRenewing) return;
      isRenewing = true;
      try {
        const stops = await renew(work, token);
        if (stops === null) lost.abort(leaseLost(work));
        else if (stops > 0) stop.abort();
        if (stops !== null && stops > 1) abort.abort();
      } catch {
        // A full disk, say. As long as nobody else takes the lease it can be renewed later.
      } finally {
        isRenewing = false;
      }
    }, leaseMs / BEATS_PER_LEASE);
    timer.unref();
    return {
      ...{ lost: lost.signal, stop: stop.signal, abort: abort.signal },
      async [Symbol.asyncDispose]() {
        clearInterval(timer);
        own.delete(keyOf(work));
        try {
          await release(work, token);
        } catch {
          // It ends by itself.
        }
      },
    };
  }

  return {
    /**
     * Takes the lease, or throws when another process is at work. A holder that does not renew its lease is waited for
     * until the lease is over.
     */
    claim,
    /** Whether this process holds the lease, and with this token. */
    isHeldWith: (work: Work, token: unknown) => token !== undefined && own.get(keyOf(work))?.token === token,
    /** Throws when another process holds the lease. `held` was read in the transaction that writes. */
    check(work: Work, held: HeldLease | null): void {
      const mine = own.get(keyOf(work));
      if (held === null ? mine === undefined : held.token === mine?.token) return;
      // Without a lease of its own, this process may write what nobody works on.
      if (mine === undefined && held !== null && isOver(held)) return;
      const refusal = leaseLost(work);
      mine?.lost.abort(refusal);
      throw mine === undefined && held !== null ? atWork(work, held.holder, { canAttach }) : refusal;
    },
  };
}

/** `overdue`: it was not renewed while it was watched for long enough. */
export function mayTake(held: HeldLease, overdue: HeldLease | null): boolean {
  return isGone(held.holder) || (overdue !== null && isSameBeat(held, overdue));
}

/** The process that works on it, as far as the store can tell. */
export function workerOf(held: HeldLease | null): Worker | null {
  return held === null || isOver(held) ? null : { ...held.holder, stops: held.stops };
}

function isOver({ isExpired, holder }: HeldLease): boolean {
  return isExpired || isGone(holder);
}

function isSameBeat(a: HeldLease, b: HeldLease): boolean {
  return a.token === b.token && a.beat === b.beat;
}
