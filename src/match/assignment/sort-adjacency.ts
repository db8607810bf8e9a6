/** Candidates of one vertex after another: those of `v` are at `start[v]` to `start[v + 1]`. */
export interface Adjacency {
  start: Int32Array;
  target: Int32Array;
  /** Not negative. */
  weight: Int32Array;
}

/** Below it, moving entries one by one is cheaper than counting them. */
const SHORT = 24;
const DIGITS = 256;

/** Sorts the candidates of each vertex, in place: the heaviest first, and of equals the one with the smaller target. */
export function sortAdjacency({ start, target, weight }: Adjacency): void {
  const vertices = start.length - 1;
  let longest = 0;
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    const from = start[vertex] ?? 0;
    const to = start[vertex + 1] ?? 0;
    longest = Math.max(longest, to - from);
    if (to - from < SHORT) insertionSort(target, weight, from, to);
  }
  if (longest < SHORT) return;
  const spare = { target: new Int32Array(longest), weight: new Int32Array(longest), ends: new Int32Array(DIGITS) };
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    const from = start[vertex] ?? 0;
    const to = start[vertex + 1] ?? 0;
    if (to - from < SHORT) continue;
    // Stable passes from the least to the most significant digit, and those of the weight last: they decide first.
    if (!isAscending(target, from, to)) radixSort(target, weight, from, to, spare.target, spare.weight, spare.ends, 0);
    radixSort(weight, target, from, to, spare.weight, spare.target, spare.ends, DIGITS - 1);
  }
}

function insertionSort(target: Int32Array, weight: Int32Array, from: number, to: number): void {
  for (let end = from + 1; end < to; end += 1) {
    const t = target[end] ?? 0;
    const w = weight[end] ?? 0;
    let at = end;
    for (; at > from; at -= 1) {
      const before = weight[at - 1] ?? 0;
      if (before > w || (before === w && (target[at - 1] ?? 0) <= t)) break;
      target[at] = target[at - 1] ?? 0;
      weight[at] = before;
    }
    target[at] = t;
    weight[at] = w;
  }
}

function isAscending(values: Int32Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at += 1) {
    if ((values[at - 1] ?? 0) > (values[at] ?? 0)) return false;
  }
  return true;
}

/** Sorts keys with their companions; descending when `flip` turns every digit around. */
function radixSort(
  keys: Int32Array,
  companions: Int32Array,
  from: number,
  to: number,
  spareKeys: Int32Array,
  spareCompanions: Int32Array,
  ends: Int32Array,
  flip: number,
): void {
  const count = to - from;
  for (let shift = 0; shift < 32; shift += 8) {
    ends.fill(0);
    for (let at = from; at < to; at += 1) {
      const digit = (((keys[at] ?? 0) >>> shift) & 255) ^ flip;
      ends[digit] = (ends[digit] ?? 0) + 1;
    }
    if (ends[(((keys[from] ?? 0) >>> shift) & 255) ^ flip] === count) continue;
    for (let digit = 1; digit < DIGITS; digit += 1) ends[digit] = (ends[digit] ?? 0) + (ends[digit - 1] ?? 0);
    for (let at = to - 1; at >= from; at -= 1) {
      const key = keys[at] ?? 0;
      const digit = ((key >>> shift) & 255) ^ flip;
      const place = (ends[digit] ?? 0) - 1;
      ends[digit] = place;
      spareKeys[place] = key;
      spareCompanions[place] = companions[at] ?? 0;
    }
    for (let at = 0; at < count; at += 1) {
      keys[from + at] = spareKeys[at] ?? 0;
      companions[from + at] = spareCompanions[at] ?? 0;
    }
  }
}
