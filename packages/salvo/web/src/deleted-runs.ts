import { useSyncExternalStore } from 'react';

/** Runs that were deleted in this page and can be restored. It outlives the page that deleted them. */
let deleted: readonly string[] = [];
const listeners = new Set<() => void>();

export function noteDeleted(runId: string): void {
  change([...deleted.filter((each) => each !== runId), runId]);
}

export function forgetDeleted(runIds: readonly string[]): void {
  change(deleted.filter((each) => !runIds.includes(each)));
}

export function useDeletedRuns(): readonly string[] {
  return useSyncExternalStore(subscribe, () => deleted);
}

function change(next: readonly string[]): void {
  deleted = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
