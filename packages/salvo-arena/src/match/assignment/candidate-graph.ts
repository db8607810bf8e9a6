import type { CandidateList } from '../candidates/candidate-list.ts';

/** How many vulnerabilities and findings there are. */
export interface Sizes {
  vulnerabilities: number;
  findings: number;
}

/**
 * The candidates as a bipartite graph: the vulnerabilities search for partners among the findings. Vertices are the
 * vulnerabilities and, after them, the findings. The candidates of vulnerability `v` are at `start[v]` to
 * `start[v + 1]`, the heaviest first, and of equal ones the smaller finding first.
 *
 * The vulnerabilities search even if there are fewer findings, which would be faster the other way round (up to three
 * times). A choice by size would let an unrelated finding decide between equally good pairings.
 */
export interface CandidateGraph {
  vertices: number;
  start: Int32Array;
  target: Int32Array;
  /** The score in whole billionths, so that equal scores are equal in whichever order they were added up. */
  weight: Int32Array;
}

/** A weight (30 bits) and a vertex (23 bits) make one exact number, which sorts without a comparison function. */
export const MOST_VERTICES = 2 ** 23;

const BILLION = 1e9;

export function buildCandidateGraph(candidates: CandidateList, sizes: Sizes): CandidateGraph {
  const { length, vulnerability, finding, score } = candidates;
  const vertices = sizes.vulnerabilities + sizes.findings;
  if (vertices > MOST_VERTICES) {
    throw new RangeError(`more than ${MOST_VERTICES} vulnerabilities and findings cannot be assigned`);
  }
  const start = new Int32Array(vertices + 1);
  for (let at = 0; at < length; at += 1) {
    const searcher = vulnerability[at] ?? 0;
    start[searcher + 1] = (start[searcher + 1] ?? 0) + 1;
  }
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    start[vertex + 1] = (start[vertex + 1] ?? 0) + (start[vertex] ?? 0);
  }
  const target = new Int32Array(length);
  const weight = new Int32Array(length);
  const next = start.slice();
  for (let at = 0; at < length; at += 1) {
    const searcher = vulnerability[at] ?? 0;
    const place = next[searcher] ?? 0;
    next[searcher] = place + 1;
    target[place] = sizes.vulnerabilities + (finding[at] ?? 0);
    weight[place] = Math.round((score[at] ?? 0) * BILLION);
  }
  const graph = { vertices, start, target, weight };
  sortCandidates(graph);
  return graph;
}

function sortCandidates({ vertices, start, target, weight }: CandidateGraph): void {
  let longest = 0;
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    longest = Math.max(longest, (start[vertex + 1] ?? 0) - (start[vertex] ?? 0));
  }
  const keys = new Float64Array(longest);
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    const from = start[vertex] ?? 0;
    const count = (start[vertex + 1] ?? 0) - from;
    if (count < 2) continue;
    const row = keys.subarray(0, count);
    for (let at = 0; at < count; at += 1) {
      row[at] = (target[from + at] ?? 0) - (weight[from + at] ?? 0) * MOST_VERTICES;
    }
    row.sort();
    for (let at = 0; at < count; at += 1) {
      const key = row[at] ?? 0;
      const heavy = Math.ceil(-key / MOST_VERTICES);
      weight[from + at] = heavy;
      target[from + at] = key + heavy * MOST_VERTICES;
    }
  }
}

/** For each vertex, the first vertex that has the very same candidates at the same weights; possibly itself. */
export function firstWithEqualCandidates(graph: CandidateGraph): Int32Array {
  const first = new Int32Array(graph.vertices);
  const byHash = new Map<number, number[]>();
  for (let vertex = 0; vertex < graph.vertices; vertex += 1) {
    const hash = hashOfCandidates(graph, vertex);
    const known = byHash.get(hash);
    const equal = known?.find((other) => haveEqualCandidates(graph, other, vertex));
    first[vertex] = equal ?? vertex;
    if (equal !== undefined) continue;
    if (known) known.push(vertex);
    else byHash.set(hash, [vertex]);
  }
  return first;
}

function hashOfCandidates({ start, target, weight }: CandidateGraph, vertex: number): number {
  let hash = 0;
  const end = start[vertex + 1] ?? 0;
  for (let at = start[vertex] ?? 0; at < end; at += 1) {
    hash = Math.imul(hash ^ (target[at] ?? 0), 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ (weight[at] ?? 0), 0x85ebca6b);
  }
  return hash;
}

function haveEqualCandidates({ start, target, weight }: CandidateGraph, a: number, b: number): boolean {
  const fromA = start[a] ?? 0;
  const fromB = start[b] ?? 0;
  const count = (start[a + 1] ?? 0) - fromA;
  if (count !== (start[b + 1] ?? 0) - fromB) return false;
  for (let at = 0; at < count; at += 1) {
    if (target[fromA + at] !== target[fromB + at] || weight[fromA + at] !== weight[fromB + at]) return false;
  }
  return true;
}
