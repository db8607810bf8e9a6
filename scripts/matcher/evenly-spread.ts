/** At most so many of the items, evenly spread. */
export function evenlySpread<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, items.length / most);
  return items.filter((_, n) => Math.floor(n / step) !== Math.floor((n - 1) / step));
}
