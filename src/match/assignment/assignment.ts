import type { Candidate } from '../matcher.ts';
import { graphOfSmallerSides, graphOfVulnerabilities } from './candidate-graph.ts';
import type { CandidateList } from './candidate-list.ts';
import type { Sizes } from './connected-components.ts';
import { greedyAssignment } from './greedy-assignment.ts';
import { optimalAssignment } from './optimal-assignment.ts';

/**
 * Which of the candidates are matches, by vulnerability: each vulnerability and each finding is in one at the most.
 * `optimal` has the largest total score that is possible and, of all such, the most pairs; `greedy` takes the best
 * candidate, then the best of what is left. The order of the candidates has no influence, the numbering of the two
 * sides only where scores tie.
 */
export function assign(candidates: CandidateList, sizes: Sizes, kind: 'optimal' | 'greedy'): Candidate[] {
  if (candidates.length === 0) return [];
  const partner =
    kind === 'optimal'
      ? optimalAssignment(graphOfSmallerSides(candidates, sizes))
      : greedyAssignment(graphOfVulnerabilities(candidates, sizes));
  return chosenOf(candidates, sizes, partner);
}

function chosenOf(
  { length, vulnerability, finding, score }: CandidateList,
  sizes: Sizes,
  partner: Int32Array,
): Candidate[] {
  const chosen: Candidate[] = [];
  for (let at = 0; at < length; at += 1) {
    const left = vulnerability[at] ?? 0;
    const right = finding[at] ?? 0;
    if (partner[left] === sizes.vulnerabilities + right) {
      chosen.push({ vulnerability: left, finding: right, score: score[at] ?? 0 });
    }
  }
  return chosen.sort((a, b) => a.vulnerability - b.vulnerability);
}
