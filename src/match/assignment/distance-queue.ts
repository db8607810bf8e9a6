/** A binary heap of vertices by distance. A vertex may be in it twice; whoever takes it out knows which is out of date. */
export interface DistanceQueue {
  clear(): void;
  push(vertex: number, distance: number): void;
  /** The distance of the nearest; infinite when there is none. */
  nearest(): number;
  /** Takes the nearest out; of equals, the one with the smallest number. */
  take(): number;
}

export function createDistanceQueue(): DistanceQueue {
  const vertices: number[] = [];
  const distances: number[] = [];
  let size = 0;

  const before = (distance: number, vertex: number, at: number): boolean => {
    const other = distances[at] ?? 0;
    return distance < other || (distance === other && vertex < (vertices[at] ?? 0));
  };
  const move = (from: number, to: number): void => {
    vertices[to] = vertices[from] ?? 0;
    distances[to] = distances[from] ?? 0;
  };

  return {
    clear() {
      size = 0;
    },
    push(vertex, distance) {
      let at = size;
      size += 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!before(distance, vertex, parent)) break;
        move(parent, at);
        at = parent;
      }
      vertices[at] = vertex;
      distances[at] = distance;
    },
    nearest: () => (size === 0 ? Number.POSITIVE_INFINITY : (distances[0] ?? 0)),
    take() {
      const taken = vertices[0] ?? 0;
      size -= 1;
      const vertex = vertices[size] ?? 0;
      const distance = distances[size] ?? 0;
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= size) break;
        if (child + 1 < size && before(distances[child + 1] ?? 0, vertices[child + 1] ?? 0, child)) child += 1;
        if (before(distance, vertex, child)) break;
        move(child, at);
        at = child;
      }
      vertices[at] = vertex;
      distances[at] = distance;
      return taken;
    },
  };
}
