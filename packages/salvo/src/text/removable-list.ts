/** Things that come and go, such as the trials under way. */
export interface RemovableList<T> {
  /** Returns what removes it. */
  add(item: T): () => void;
  /** A copy, in no order. */
  items(): T[];
}

/**
 * Unlike a `Set`, it keeps nothing of what was removed. A `Set` makes a new table every few items, and an outgrown table
 * can keep the later ones alive, with all that was in them, until the next full garbage collection.
 */
export function createRemovableList<T>(): RemovableList<T> {
  const entries: { item: T; place: number }[] = [];
  return {
    add(item) {
      const added = { item, place: entries.length };
      entries.push(added);
      return () => {
        if (entries[added.place] !== added) return;
        const last = entries.pop();
        if (last === undefined || last === added) return;
        entries[added.place] = last;
        last.place = added.place;
      };
    },
    items: () => entries.map(({ item }) => item),
  };
}
