import type { CandidateList } from './candidate-list.ts';
import { connectedComponents, type Sizes } from './connected-components.ts';
import { type Adjacency, sortAdjacency } from './sort-adjacency.ts';

/**
 * Who may be paired with whom, seen from one side, the searchers; the other side are their targets. Vertices are the
 * vulnerabilities and, after them, the findings. Weights are scores in whole billionths, so that equal scores are equal
 * in whichever order they were added up. A searcher's best target comes first, and of equals the smaller one.
 */
export interface CandidateGraph extends Adjacency {
  vertices: number;
}

const BILLION = 1e9;

/** The vulnerabilities search. */
export function graphOfVulnerabilities(candidates: CandidateList, sizes: Sizes): CandidateGraph {
  return buildGraph(candidates, sizes, new Uint8Array(sizes.vulnerabilities));
}

/** In each connected component the smaller side searches. Its surplus waits on the other one, where searches end. */
export function graphOfSmallerSides(candidates: CandidateList, sizes: Sizes): CandidateGraph {
  const root = connectedComponents(candidates, sizes);
  const surplus = new Int32Array(root.length);
  for (let vertex = 0; vertex < root.length; vertex += 1) {
    const component = root[vertex] ?? 0;
    surplus[component] = (surplus[component] ?? 0) + (vertex < sizes.vulnerabilities ? 1 : -1);
  }
  const isTarget = new Uint8Array(sizes.vulnerabilities);
  for (let vertex = 0; vertex < isTarget.length; vertex += 1) {
    isTarget[vertex] = (surplus[root[vertex] ?? 0] ?? 0) > 0 ? 1 : 0;
  }
  return buildGraph(candidates, sizes, isTarget);
}

/** Vulnerabilities search, but for those that are targets, which must be all or none of a component. */
function buildGraph(candidates: CandidateList, sizes: Sizes, isTarget: Uint8Array): CandidateGraph {
  const { length, vulnerability, finding, score } = candidates;
  const vertices = sizes.vulnerabilities + sizes.findings;
  const start = new Int32Array(vertices + 1);
  for (let at = 0; at < length; at += 1) {
    const left = vulnerability[at] ?? 0;
    const searcher = isTarget[left] === 1 ? sizes.vulnerabilities + (finding[at] ?? 0) : left;
    start[searcher + 1] = (start[searcher + 1] ?? 0) + 1;
  }
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    start[vertex + 1] = (start[vertex + 1] ?? 0) + (start[vertex] ?? 0);
  }
  const target = new Int32Array(length);
  const weight = new Int32Array(length);
  const next = start.slice();
  for (let at = 0; at < length; at += 1) {
    const left = vulnerability[at] ?? 0;
    const right = sizes.vulnerabilities + (finding[at] ?? 0);
    const reversed = isTarget[left] === 1;
    const searcher = reversed ? right : left;
    const place = next[searcher] ?? 0;
    next[searcher] = place + 1;
    target[place] = reversed ? left : right;
    weight[place] = Math.round((score[at] ?? 0) * BILLION);
  }
  sortAdjacency({ start, target, weight });
  return { vertices, start, target, weight };
}
