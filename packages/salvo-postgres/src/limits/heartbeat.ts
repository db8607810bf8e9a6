import type { LimitTable } from 'salvo/kit/models';
import { newId } from 'salvo/kit/queue';
import { remembered } from 'salvo/kit/text';
import { MEMBER_TIMEOUT_MS } from './limit-table.ts';

const HEARTBEAT_MS = 1000;
/** A little less than the database allows, because it takes time until a request is on its way. */
const REACHABLE_MS = MEMBER_TIMEOUT_MS - 2000;

/** A process among those that share limits. It has heartbeats for as long as it watches a limit. */
export function joinLimits(table: LimitTable) {
  const id = newId();
  const watched = new Map<string, Set<() => void>>();
  /** By two clocks: the monotonic one stops while a machine sleeps, the other one may be set. */
  let last = { monotonicMs: Number.NEGATIVE_INFINITY, wallMs: 0 };
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | null = null;
  let failure: unknown = null;

  async function beat(): Promise<void> {
    const sent = { monotonicMs: performance.now(), wallMs: Date.now() };
    try {
      const wanted = await table.heartbeat(id, [...watched.keys()]);
      last = sent;
      for (const name of wanted) for (const onWanted of watched.get(name) ?? []) onWanted();
    } catch (error) {
      // The next one may succeed. Until then `isReachable` ends by itself.
      failure = error;
    }
    underWay = null;
    schedule();
  }

  /** False when the database was out of reach for so long that other processes may have what this one has leased. */
  function isReachable(): boolean {
    const { monotonicMs, wallMs } = last;
    return performance.now() - monotonicMs < REACHABLE_MS && Math.abs(Date.now() - wallMs) < REACHABLE_MS;
  }

  function schedule(): void {
    clearTimeout(timer);
    if (watched.size === 0 || underWay) return;
    timer = setTimeout(() => {
      underWay = beat();
    }, HEARTBEAT_MS);
    timer.unref();
  }

  const update: LimitTable['update'] = async (name, change) => {
    // A member without a heartbeat counts as lost.
    if (!isReachable()) {
      underWay ??= beat();
      await underWay;
      if (!isReachable()) throw failure;
    }
    return await table.update(name, change);
  };

  return {
    id,
    update,
    /** Calls `onWanted` about every second while another member wants something of a limit. Returns a function that ends it. */
    watch(name: string, onWanted: () => void): () => void {
      remembered(watched, name, () => new Set()).add(onWanted);
      if (timer === undefined) schedule();
      return () => {
        const others = watched.get(name);
        others?.delete(onWanted);
        if (others?.size === 0) watched.delete(name);
      };
    },
    isReachable,
    async [Symbol.asyncDispose]() {
      watched.clear();
      clearTimeout(timer);
      await underWay;
    },
  };
}
