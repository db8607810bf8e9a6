import { type Ledger, type LedgerChange, type LedgerPage, MEMBER_LEASE_MS, newId, RENEW_MS } from 'salvo/kit/queue';
import { remembered } from 'salvo/kit/text';

/** A process among those that share limits in a ledger. It is renewed for as long as it watches a page. */
export interface Membership extends AsyncDisposable {
  readonly id: string;
  change<T>(page: string, change: (page: LedgerPage) => LedgerChange<T>): Promise<T>;
  /** Calls `onWanted` about every second while somebody waits for what is on the page. Ends with the returned function. */
  watch(page: string, onWanted: () => void): () => void;
  /** False when the ledger was not heard of for so long that it may have given our shares to others. */
  isHeard(): boolean;
}

/** A little less than the ledger allows, because it takes time until a request is on its way. */
const HEARD_MS = MEMBER_LEASE_MS - 2000;

export function joinLedger(ledger: Ledger): Membership {
  const id = newId();
  const watched = new Map<string, Set<() => void>>();
  let heard = -Infinity;
  /** The clock that always runs on stops while a machine sleeps, the other one may be set. */
  let heardAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let renewing: Promise<void> | null = null;
  let failure: unknown = null;

  async function renew(): Promise<void> {
    const [sent, sentAt] = [performance.now(), Date.now()];
    try {
      const wanted = await ledger.renew(id, [...watched.keys()]);
      heard = sent;
      heardAt = sentAt;
      for (const page of wanted) for (const onWanted of watched.get(page) ?? []) onWanted();
    } catch (error) {
      // The next one may succeed. Until then `isHeard` ends by itself.
      failure = error;
    }
    renewing = null;
    schedule();
  }

  function isHeard(): boolean {
    return performance.now() - heard < HEARD_MS && Math.abs(Date.now() - heardAt) < HEARD_MS;
  }

  function schedule(): void {
    clearTimeout(timer);
    if (watched.size === 0 || renewing) return;
    timer = setTimeout(() => {
      renewing = renew();
    }, RENEW_MS);
    timer.unref();
  }

  return {
    id,
    async change(page, change) {
      // A member of a page that was not heard of counts as dead.
      if (!isHeard()) {
        renewing ??= renew();
        await renewing;
        if (!isHeard()) throw failure;
      }
      return await ledger.change(page, change);
    },
    watch(page, onWanted) {
      remembered(watched, page, () => new Set()).add(onWanted);
      if (timer === undefined) schedule();
      return () => {
        const others = watched.get(page);
        others?.delete(onWanted);
        if (others?.size === 0) watched.delete(page);
      };
    },
    isHeard,
    async [Symbol.asyncDispose]() {
      watched.clear();
      clearTimeout(timer);
      await renewing;
    },
  };
}
