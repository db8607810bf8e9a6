import { type CandidateGraph, firstWithEqualCandidates } from './candidate-graph.ts';

/**
 * A pairing on its way to the optimum, with the proof that it is one.
 *
 * Every vertex has a dual of at least 0. The duals of the two ends of a candidate add up to at least its worth (except
 * for searchers that had no turn yet), those of a pair to exactly its worth, and a vertex without a partner has 0.
 * After every searcher had its turn, the duals add up to what the pairs are worth, so no other pairing can be worth
 * more. The dual of a target starts at 0 and never falls. A target that has a partner keeps one.
 */
interface Pairing {
  graph: CandidateGraph;
  /** Of each vertex, or -1. */
  partner: Int32Array;
  dual: Float64Array;
  /**
   * A candidate is worth `unit * weight + 1`. There are fewer pairs than `unit`, so that between pairings of the same
   * weight the number of pairs decides. These are whole numbers that keep their precision.
   */
  unit: number;
}

/**
 * The pairing with the largest total weight; among those, one with the most pairs. Returns the partner of each vertex,
 * or -1. Why this is not a library: docs/decisions/0011-assignment.md.
 *
 * Each searcher takes its best target if that is free. The others get theirs along shortest augmenting paths.
 */
export function optimalAssignment(graph: CandidateGraph): Int32Array {
  const pairing: Pairing = {
    graph,
    partner: new Int32Array(graph.vertices).fill(-1),
    dual: new Float64Array(graph.vertices),
    unit: graph.vertices + 1,
  };
  const waiting = takeBestTargets(pairing);
  if (waiting.length > 0) {
    const augment = createAugmentingSearch(pairing);
    for (const searcher of waiting) augment(searcher);
  }
  return pairing.partner;
}

/** Gives each searcher one of its best targets, if one is free. Returns the searchers that got none. */
function takeBestTargets({ graph, partner, dual, unit }: Pairing): number[] {
  const { vertices, start, target, weight } = graph;
  const waiting: number[] = [];
  for (let searcher = 0; searcher < vertices; searcher += 1) {
    const from = start[searcher] ?? 0;
    const end = start[searcher + 1] ?? 0;
    if (from === end) continue;
    const best = weight[from] ?? 0;
    dual[searcher] = best * unit + 1;
    let at = from;
    while (at < end && weight[at] === best && partner[target[at] ?? 0] !== -1) at += 1;
    if (at < end && weight[at] === best) {
      const taken = target[at] ?? 0;
      partner[searcher] = taken;
      partner[taken] = searcher;
    } else {
      waiting.push(searcher);
    }
  }
  return waiting;
}

/**
 * Gives a searcher its turn: finds the cheapest change that makes room for it (Dijkstra's search over what each step
 * falls short of the duals), makes it, and adjusts the duals. The path ends at a free target, or at a searcher that is
 * better left without a partner, which may be the one whose turn it is.
 */
function createAugmentingSearch(pairing: Pairing): (source: number) => void {
  const { graph, partner, dual, unit } = pairing;
  const { vertices, start, target, weight } = graph;
  const equal = firstWithEqualCandidates(graph);
  const distance = new Float64Array(vertices).fill(Number.POSITIVE_INFINITY);
  const via = new Int32Array(vertices);
  /** For each group of searchers with equal candidates, the search in which these were last scanned. */
  const scannedIn = new Int32Array(vertices);
  let search = 0;
  const farther = createDistanceQueue();
  /** Targets at the distance that the search has reached. Ties are so many that a heap would be slow. */
  const asFar: number[] = [];
  const reached: number[] = [];
  const visited: number[] = [];
  let shortest = 0;
  let end = -1;

  function scan(searcher: number, travelled: number): void {
    // Searchers with equal candidates have equal duals once they are paired, so the first of them led everywhere.
    const group = equal[searcher] ?? 0;
    if (scannedIn[group] === search) return;
    scannedIn[group] = search;
    const base = travelled + (dual[searcher] ?? 0);
    const last = start[searcher + 1] ?? 0;
    for (let at = start[searcher] ?? 0; at < last; at += 1) {
      const atLeast = base - (weight[at] ?? 0) * unit - 1;
      // No dual is below 0, and the remaining weights are no higher.
      if (atLeast >= shortest) break;
      const candidate = target[at] ?? 0;
      const there = atLeast + (dual[candidate] ?? 0);
      const before = distance[candidate] ?? 0;
      if (there >= shortest || there >= before) continue;
      if (before === Number.POSITIVE_INFINITY) reached.push(candidate);
      distance[candidate] = there;
      via[candidate] = searcher;
      if (partner[candidate] === -1) {
        shortest = there;
        end = candidate;
        if (there === travelled) return;
      } else if (there === travelled) {
        asFar.push(candidate);
      } else {
        farther.push(candidate, there);
      }
    }
  }

  function findEnd(source: number): void {
    scan(source, 0);
    let travelled = 0;
    let turn = 0;
    while (travelled < shortest) {
      let next = asFar[turn];
      if (next === undefined) {
        const nearest = farther.nearest();
        if (nearest >= shortest) break;
        next = farther.take();
        // A shorter way to it was found in the meantime.
        if (nearest !== distance[next]) continue;
        travelled = nearest;
      } else {
        turn += 1;
      }
      visited.push(next);
      const owner = partner[next] ?? 0;
      const ownerAlone = travelled + (dual[owner] ?? 0);
      if (ownerAlone < shortest) {
        shortest = ownerAlone;
        end = owner;
      }
      scan(owner, travelled);
    }
  }

  function adjustDuals(source: number): void {
    dual[source] = (dual[source] ?? 0) - shortest;
    for (const seen of visited) {
      const rise = shortest - (distance[seen] ?? 0);
      const owner = partner[seen] ?? 0;
      dual[seen] = (dual[seen] ?? 0) + rise;
      dual[owner] = (dual[owner] ?? 0) - rise;
    }
  }

  return (source) => {
    dual[source] = bestNetWorth(pairing, source);
    shortest = dual[source] ?? 0;
    end = source;
    search += 1;
    findEnd(source);
    adjustDuals(source);
    changePartners(pairing, { source, end, via });
    for (const seen of reached) distance[seen] = Number.POSITIVE_INFINITY;
    reached.length = 0;
    visited.length = 0;
    asFar.length = 0;
    farther.clear();
  };
}

/** What the best target is worth to a searcher at the current duals. */
function bestNetWorth({ graph, dual, unit }: Pairing, searcher: number): number {
  const { start, target, weight } = graph;
  let best = 0;
  const last = start[searcher + 1] ?? 0;
  for (let at = start[searcher] ?? 0; at < last; at += 1) {
    const worth = (weight[at] ?? 0) * unit + 1;
    if (worth <= best) break;
    best = Math.max(best, worth - (dual[target[at] ?? 0] ?? 0));
  }
  return best;
}

/** Pairs along the path that ends at `end`. `via` has the searcher from which the search came to a target. */
function changePartners(
  { graph: { start }, partner }: Pairing,
  { source, end, via }: { source: number; end: number; via: Int32Array },
): void {
  if (end === source) return;
  let given = end;
  const isSearcher = (start[end + 1] ?? 0) > (start[end] ?? 0);
  if (isSearcher) {
    given = partner[end] ?? 0;
    partner[end] = -1;
  }
  for (;;) {
    const taker = via[given] ?? 0;
    const left = partner[taker] ?? 0;
    partner[taker] = given;
    partner[given] = taker;
    if (taker === source) return;
    given = left;
  }
}

/** A binary heap of vertices by distance, and at equal distances by number. A vertex may be in it twice. */
function createDistanceQueue() {
  const vertices: number[] = [];
  const distances: number[] = [];
  let size = 0;

  const isBefore = (distance: number, vertex: number, at: number): boolean => {
    const other = distances[at] ?? 0;
    return distance < other || (distance === other && vertex < (vertices[at] ?? 0));
  };
  const put = (at: number, vertex: number, distance: number): void => {
    vertices[at] = vertex;
    distances[at] = distance;
  };
  const move = (from: number, to: number): void => put(to, vertices[from] ?? 0, distances[from] ?? 0);

  return {
    clear(): void {
      size = 0;
    },
    push(vertex: number, distance: number): void {
      let at = size;
      size += 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(distance, vertex, parent)) break;
        move(parent, at);
        at = parent;
      }
      put(at, vertex, distance);
    },
    /** Infinite when the queue is empty. */
    nearest: (): number => (size === 0 ? Number.POSITIVE_INFINITY : (distances[0] ?? 0)),
    take(): number {
      const taken = vertices[0] ?? 0;
      size -= 1;
      const vertex = vertices[size] ?? 0;
      const distance = distances[size] ?? 0;
      let at = 0;
      for (let child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && isBefore(distances[child + 1] ?? 0, vertices[child + 1] ?? 0, child)) child += 1;
        if (isBefore(distance, vertex, child)) break;
        move(child, at);
        at = child;
      }
      put(at, vertex, distance);
      return taken;
    },
  };
}
