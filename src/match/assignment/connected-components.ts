import type { CandidateList } from './candidate-list.ts';

export interface Sizes {
  vulnerabilities: number;
  findings: number;
}

/**
 * Which candidates have to do with each other, directly or through others. One root for each vulnerability and then for
 * each finding: the same for all of a component, and one of them (a finding counts from `sizes.vulnerabilities` on).
 */
export function connectedComponents(candidates: CandidateList, sizes: Sizes): Int32Array {
  const { length, vulnerability, finding } = candidates;
  const parent = new Int32Array(sizes.vulnerabilities + sizes.findings);
  for (let vertex = 0; vertex < parent.length; vertex += 1) parent[vertex] = vertex;
  for (let at = 0; at < length; at += 1) {
    const a = rootOf(parent, vulnerability[at] ?? 0);
    const b = rootOf(parent, sizes.vulnerabilities + (finding[at] ?? 0));
    if (a < b) parent[b] = a;
    else parent[a] = b;
  }
  for (let vertex = 0; vertex < parent.length; vertex += 1) parent[vertex] = rootOf(parent, vertex);
  return parent;
}

/** Halves the path on the way, so that the next one who asks has less of it. */
function rootOf(parent: Int32Array, vertex: number): number {
  let at = vertex;
  let above = parent[at] ?? 0;
  while (above !== at) {
    const next = parent[above] ?? 0;
    parent[at] = next;
    at = next;
    above = parent[at] ?? 0;
  }
  return at;
}
