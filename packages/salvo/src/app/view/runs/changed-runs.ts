import type { RunRevision } from '../../../store/store.ts';
import type { ViewedProject } from '../viewed-project.ts';

/** The state of a store, as far as changes of it are noticed. */
export interface Seen {
  version: string;
  runs: ReadonlyMap<string, RunRevision>;
}

/** The same as `last` if nothing changed since. */
export async function seenNow(viewed: ViewedProject, last?: Seen): Promise<Seen> {
  const store = await viewed.store();
  if (store === null) return { version: 'nothing', runs: new Map() };
  const version = await store.version();
  if (version === last?.version) return last;
  const revisions = await store.runRevisions();
  return { version, runs: new Map(revisions.map((run) => [run.run_id, run])) };
}

/** The runs whose trials may have changed. */
export function changedRuns(before: Seen, now: Seen): string[] {
  return [...now.runs.values()]
    .filter(({ run_id, revision, status }) => status === 'running' || before.runs.get(run_id)?.revision !== revision)
    .map(({ run_id }) => run_id);
}
