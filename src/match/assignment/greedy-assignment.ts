import type { CandidateGraph } from './candidate-graph.ts';
import { createDistanceQueue } from './distance-queue.ts';

/**
 * Pairs the best candidate first, then the best of what is left, and so on; of equals the one whose searcher, then whose
 * target, has the smaller number. For each vertex its partner, or -1.
 */
export function greedyAssignment(graph: CandidateGraph): Int32Array {
  const { vertices, start, target, weight } = graph;
  const partner = new Int32Array(vertices).fill(-1);
  const next = start.slice();
  // Heaviest first: the nearest has the smallest negative weight.
  const queue = createDistanceQueue();
  for (let searcher = 0; searcher < vertices; searcher += 1) {
    const at = start[searcher] ?? 0;
    if (at < (start[searcher + 1] ?? 0)) queue.push(searcher, -(weight[at] ?? 0));
  }
  while (queue.nearest() !== Number.POSITIVE_INFINITY) {
    const searcher = queue.take();
    const to = start[searcher + 1] ?? 0;
    const planned = next[searcher] ?? 0;
    let at = planned;
    while (at < to && partner[target[at] ?? 0] !== -1) at += 1;
    if (at === to) continue;
    if (weight[at] === weight[planned]) {
      const taken = target[at] ?? 0;
      partner[searcher] = taken;
      partner[taken] = searcher;
    } else {
      next[searcher] = at;
      queue.push(searcher, -(weight[at] ?? 0));
    }
  }
  return partner;
}
