import { type Candidate, type CandidateList, forEachCandidate } from '../candidates/candidate-list.ts';
import { buildCandidateGraph, type CandidateGraph, MOST_VERTICES, type Sizes } from './candidate-graph.ts';
import { optimalAssignment } from './optimal-assignment.ts';

/**
 * Chooses the matches among the candidates, ordered by vulnerability. Each vulnerability and each finding is in at most
 * one match. `optimal` has the largest possible total score and, of all such choices, the most pairs. `greedy` takes
 * the best candidate, then the best of the remaining ones. The order of the candidates has no influence. The numbering
 * of the two sides decides only between equal scores.
 */
export function assign(candidates: CandidateList, sizes: Sizes, kind: 'optimal' | 'greedy'): Candidate[] {
  if (candidates.length === 0) return [];
  const graph = buildCandidateGraph(candidates, sizes);
  const partner = kind === 'optimal' ? optimalAssignment(graph) : greedyAssignment(graph);
  return chosenCandidates(candidates, sizes, partner);
}

/** Of equal candidates, the one with the smaller vulnerability wins, then the one with the smaller finding. */
function greedyAssignment({ vertices, start, target, weight }: CandidateGraph): Int32Array {
  const partner = new Int32Array(vertices).fill(-1);
  // Sorted as numbers: the heaviest first, then the smaller searcher.
  const keys = new Float64Array(target.length);
  for (let searcher = 0; searcher < vertices; searcher += 1) {
    const end = start[searcher + 1] ?? 0;
    for (let at = start[searcher] ?? 0; at < end; at += 1) keys[at] = searcher - (weight[at] ?? 0) * MOST_VERTICES;
  }
  keys.sort();
  // A searcher occurs once for each of its candidates, which are sorted by weight too, so its next one is meant.
  const next = start.slice();
  for (const key of keys) {
    const searcher = key + Math.ceil(-key / MOST_VERTICES) * MOST_VERTICES;
    const at = next[searcher] ?? 0;
    next[searcher] = at + 1;
    const wanted = target[at] ?? 0;
    if (partner[searcher] !== -1 || partner[wanted] !== -1) continue;
    partner[searcher] = wanted;
    partner[wanted] = searcher;
  }
  return partner;
}

function chosenCandidates(candidates: CandidateList, sizes: Sizes, partner: Int32Array): Candidate[] {
  const chosen: Candidate[] = [];
  forEachCandidate(candidates, (vulnerability, finding, score) => {
    if (partner[vulnerability] === sizes.vulnerabilities + finding) chosen.push({ vulnerability, finding, score });
  });
  return chosen.sort((a, b) => a.vulnerability - b.vulnerability);
}
