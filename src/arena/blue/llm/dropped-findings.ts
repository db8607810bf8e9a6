import type { BlueMetadata } from '../blue-team.ts';

/** Counts the findings that were dropped, by reason. */
export interface DroppedFindings {
  add(reason: string, count?: number): void;
  list(): BlueMetadata['dropped'];
}

export function createDroppedFindings(): DroppedFindings {
  const counts = new Map<string, number>();
  return {
    add(reason, count = 1) {
      if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
    },
    list: () => [...counts].map(([reason, count]) => ({ reason, count })),
  };
}
