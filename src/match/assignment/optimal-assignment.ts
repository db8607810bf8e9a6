import { createAugmentingSearch } from './augmenting-search.ts';
import type { CandidateGraph } from './candidate-graph.ts';
import type { DualAssignment } from './dual-assignment.ts';

/**
 * The pairing with the largest total weight; among those, one with the most pairs. For each vertex its partner, or -1.
 *
 * Searchers are paired one after another: first where a best target is free, then where one can outbid another, the rest
 * along shortest augmenting paths. A search never leaves its connected component, and scores that tie never send it
 * far: it ends at the first free target that costs nothing.
 */
export function optimalAssignment(graph: CandidateGraph): Int32Array {
  const assignment: DualAssignment = {
    graph,
    partner: new Int32Array(graph.vertices).fill(-1),
    dual: new Float64Array(graph.vertices),
    unit: graph.vertices + 1,
  };
  const open = outbid(assignment, takeBest(assignment));
  if (open.length > 0) {
    const augment = createAugmentingSearch(assignment);
    for (const searcher of open) augment(searcher);
  }
  return assignment.partner;
}

/** Gives each searcher one of its best targets, if one is free. Returns the searchers who got none. */
function takeBest({ graph, partner, dual, unit }: DualAssignment): number[] {
  const { vertices, start, target, weight } = graph;
  const open: number[] = [];
  for (let searcher = 0; searcher < vertices; searcher += 1) {
    const from = start[searcher] ?? 0;
    const to = start[searcher + 1] ?? 0;
    if (from === to) continue;
    const best = weight[from] ?? 0;
    dual[searcher] = best * unit + 1;
    let at = from;
    while (at < to && weight[at] === best && partner[target[at] ?? 0] !== -1) at += 1;
    if (at < to && weight[at] === best) {
      const taken = target[at] ?? 0;
      partner[searcher] = taken;
      partner[taken] = searcher;
    } else {
      open.push(searcher);
    }
  }
  return open;
}

/** Bids can rise in steps so small that a search is cheaper. Measured; anything from 8 to 40 is as good. */
const BIDS_PER_SEARCHER = 16;

/**
 * Lets each open searcher take the target that it prefers to its second choice, whoever has it, and make it dearer by
 * the difference. Settles most without a search. Returns those it does not.
 */
function outbid({ graph, partner, dual, unit }: DualAssignment, open: readonly number[]): number[] {
  const { start, target, weight } = graph;
  const undecided: number[] = [];
  const waiting = open.toReversed();
  let bids = BIDS_PER_SEARCHER * open.length;
  for (let searcher = waiting.pop(); searcher !== undefined; searcher = waiting.pop()) {
    if (bids === 0) {
      undecided.push(searcher);
      continue;
    }
    bids -= 1;
    // To stay without a target is worth 0, and always possible.
    let best = 0;
    let second = 0;
    let chosen = -1;
    const to = start[searcher + 1] ?? 0;
    for (let at = start[searcher] ?? 0; at < to; at += 1) {
      const worth = (weight[at] ?? 0) * unit + 1;
      if (worth <= second) break;
      const candidate = target[at] ?? 0;
      const net = worth - (dual[candidate] ?? 0);
      if (net > best) {
        second = best;
        best = net;
        chosen = candidate;
      } else if (net > second) {
        second = net;
        if (net === best && partner[candidate] === -1) chosen = candidate;
      }
    }
    dual[searcher] = second;
    if (chosen === -1) continue;
    const displaced = partner[chosen] ?? -1;
    if (displaced !== -1 && best === second) {
      undecided.push(searcher);
      continue;
    }
    dual[chosen] = (dual[chosen] ?? 0) + best - second;
    partner[searcher] = chosen;
    partner[chosen] = searcher;
    if (displaced !== -1) {
      partner[displaced] = -1;
      waiting.push(displaced);
    }
  }
  return undecided;
}
