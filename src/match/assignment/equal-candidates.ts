import type { Adjacency } from './sort-adjacency.ts';

/** For each vertex the first one that has the very same candidates at the same weights; itself, if it is that one. */
export function twinsOf(sorted: Adjacency): Int32Array {
  const vertices = sorted.start.length - 1;
  const first = new Int32Array(vertices);
  const alike = new Map<number, number[]>();
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    const hash = hashOf(sorted, vertex);
    const known = alike.get(hash);
    const twin = known?.find((other) => haveSameCandidates(sorted, other, vertex));
    first[vertex] = twin ?? vertex;
    if (twin !== undefined) continue;
    if (known) known.push(vertex);
    else alike.set(hash, [vertex]);
  }
  return first;
}

function hashOf({ start, target, weight }: Adjacency, vertex: number): number {
  let hash = 0;
  const to = start[vertex + 1] ?? 0;
  for (let at = start[vertex] ?? 0; at < to; at += 1) {
    hash = Math.imul(hash ^ (target[at] ?? 0), 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ (weight[at] ?? 0), 0x85ebca6b);
  }
  return hash;
}

function haveSameCandidates({ start, target, weight }: Adjacency, a: number, b: number): boolean {
  const fromA = start[a] ?? 0;
  const fromB = start[b] ?? 0;
  const count = (start[a + 1] ?? 0) - fromA;
  if (count !== (start[b + 1] ?? 0) - fromB) return false;
  for (let at = 0; at < count; at += 1) {
    if (target[fromA + at] !== target[fromB + at] || weight[fromA + at] !== weight[fromB + at]) return false;
  }
  return true;
}
