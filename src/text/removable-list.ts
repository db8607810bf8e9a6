/** Things that come and go, such as the trials under way. */
export interface RemovableList<T> {
  /** Returns what removes it. */
  add(item: T): () => void;
  /** A copy, in no order. */
  items(): T[];
}

/**
 * A `Set` in which items come and go makes a new table every few items, and an earlier table keeps the later ones alive
 * with all that is in them, once a garbage collection has seen it. Over thousands of trials that is most of their memory.
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
