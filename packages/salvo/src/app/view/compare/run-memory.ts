import type { RunRecord } from '../../../run/record/run-record.ts';
import type { Store } from '../../../store/store.ts';

const MOST_REMEMBERED = 20;

/** A run, with the model that is chosen of it. */
type Source = Pick<RunRecord, 'run_id'> & { model: string | null };

/**
 * Remembers what was computed from runs until one of them changes. Large runs take seconds, and those who ask at the same
 * time share one computation. Runs at work are computed each time: their trials change without a change of the run.
 */
export function createRunMemory<Value>() {
  const remembered = new WeakMap<Store, Map<string, Promise<Value>>>();
  return async (store: Store, sources: readonly Source[], compute: () => Promise<Value>): Promise<Value> => {
    const revisions = new Map((await store.runRevisions()).map((each) => [each.run_id, each]));
    const states = sources.map(({ run_id }) => revisions.get(run_id));
    if (states.some((state) => state === undefined || state.status === 'running')) return await compute();
    const key = JSON.stringify(sources.map(({ run_id, model }, index) => [run_id, model, states[index]?.revision]));
    const ofStore = remembered.get(store) ?? new Map<string, Promise<Value>>();
    remembered.set(store, ofStore);
    const known = ofStore.get(key);
    if (known) return await known;
    const computed = compute();
    ofStore.set(key, computed);
    computed.catch(() => ofStore.delete(key));
    const [oldest] = ofStore.keys();
    if (ofStore.size > MOST_REMEMBERED && oldest !== undefined) ofStore.delete(oldest);
    return await computed;
  };
}
