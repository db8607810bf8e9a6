import type { BlueMetadata } from '../blue-team.ts';

/** Counts findings that were dropped before they counted, by reason. */
export interface Dropped {
  add(reason: string, count?: number): void;
  list(): BlueMetadata['dropped'];
}

export function createDropped(): Dropped {
  const counts = new Map<string, number>();
  return {
    add(reason, count = 1) {
      if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
    },
    list: () => [...counts].map(([reason, count]) => ({ reason, count })),
  };
}
