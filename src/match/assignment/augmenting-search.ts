import { createDistanceQueue } from './distance-queue.ts';
import type { DualAssignment } from './dual-assignment.ts';
import { twinsOf } from './equal-candidates.ts';

/**
 * Gives a searcher its turn: finds what changes least to make room for it (Dijkstra's search over what each step falls
 * short of the duals), changes it, and adjusts the duals. It ends at a free target, or at a searcher that is better left
 * single, which may be itself.
 */
export function createAugmentingSearch({ graph, partner, dual, unit }: DualAssignment): (source: number) => void {
  const { vertices, start, target, weight } = graph;
  const twin = twinsOf(graph);
  const distance = new Float64Array(vertices).fill(Number.POSITIVE_INFINITY);
  const via = new Int32Array(vertices);
  /** By twin: the search in which its candidates were last looked at. */
  const scannedIn = new Int32Array(vertices);
  let search = 0;
  const farther = createDistanceQueue();
  /** Targets just as far as where the search is: ties are too many for a heap. */
  const asFar: number[] = [];
  const reached: number[] = [];
  const visited: number[] = [];
  let shortest = 0;
  let end = -1;

  function scan(searcher: number, travelled: number): void {
    // Twins have the same dual once they are paired: the one that was nearer has led everywhere already.
    const like = twin[searcher] ?? 0;
    if (scannedIn[like] === search) return;
    scannedIn[like] = search;
    const base = travelled + (dual[searcher] ?? 0);
    const to = start[searcher + 1] ?? 0;
    for (let at = start[searcher] ?? 0; at < to; at += 1) {
      const atLeast = base - (weight[at] ?? 0) * unit - 1;
      // No dual is below 0, and the weights to come are no higher.
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
        // It was reached on a shorter way since.
        if (nearest !== distance[next]) continue;
        travelled = nearest;
      } else {
        turn += 1;
      }
      visited.push(next);
      const owner = partner[next] ?? 0;
      const single = travelled + (dual[owner] ?? 0);
      if (single < shortest) {
        shortest = single;
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

  function handOver(source: number): void {
    if (end === source) return;
    let given = end;
    if (isSearcher(end)) {
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

  const isSearcher = (vertex: number): boolean => (start[vertex + 1] ?? 0) > (start[vertex] ?? 0);

  /** What the best target leaves to a searcher at today's duals. */
  function bestNet(searcher: number): number {
    let best = 0;
    const to = start[searcher + 1] ?? 0;
    for (let at = start[searcher] ?? 0; at < to; at += 1) {
      const worth = (weight[at] ?? 0) * unit + 1;
      if (worth <= best) break;
      best = Math.max(best, worth - (dual[target[at] ?? 0] ?? 0));
    }
    return best;
  }

  return (source) => {
    dual[source] = bestNet(source);
    shortest = dual[source] ?? 0;
    end = source;
    search += 1;
    findEnd(source);
    adjustDuals(source);
    handOver(source);
    for (const seen of reached) distance[seen] = Number.POSITIVE_INFINITY;
    reached.length = 0;
    visited.length = 0;
    asFar.length = 0;
    farther.clear();
  };
}
