import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDistanceQueue } from './distance-queue.ts';

const entries = fc.array(fc.tuple(fc.nat(50), fc.nat(5)), { maxLength: 60 });

describe('createDistanceQueue', () => {
  it('gives vertices back by distance, and equally distant ones by number', () => {
    fc.assert(
      fc.property(entries, entries, (stale, pushed) => {
        const queue = createDistanceQueue();
        for (const [vertex, distance] of stale) queue.push(vertex, distance);
        queue.clear();
        for (const [vertex, distance] of pushed) queue.push(vertex, distance);
        const taken: [number, number][] = [];
        while (queue.nearest() !== Number.POSITIVE_INFINITY) {
          const distance = queue.nearest();
          taken.push([queue.take(), distance]);
        }
        expect(taken).toEqual(pushed.toSorted(([v1, d1], [v2, d2]) => d1 - d2 || v1 - v2));
      }),
    );
  });

  it('takes new ones between takes', () => {
    const queue = createDistanceQueue();
    queue.push(1, 10);
    queue.push(2, 20);
    expect(queue.take()).toBe(1);
    queue.push(3, 5);
    expect([queue.take(), queue.take()]).toEqual([3, 2]);
    expect(queue.nearest()).toBe(Number.POSITIVE_INFINITY);
  });
});
