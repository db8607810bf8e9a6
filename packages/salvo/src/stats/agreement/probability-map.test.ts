import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitIsotonic, fitPlatt, logLossOf, mapProbability } from './probability-map.ts';

const items = fc.array(fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }), isTrue: fc.boolean() }), {
  minLength: 1,
  maxLength: 40,
});

describe('probability maps', () => {
  test('never fall, and stay between 0 and 1', () => {
    fc.assert(
      fc.property(items, (given) => {
        for (const map of [fitPlatt(given), fitIsotonic(given)]) {
          if (!map) continue;
          const mapped = Array.from({ length: 21 }, (_, index) => mapProbability(map, index / 20));
          expect(mapped.every((value) => value >= 0 && value <= 1)).toBe(true);
          expect(mapped.every((value, index) => value >= (mapped[index - 1] ?? 0) - 1e-12)).toBe(true);
        }
      }),
    );
  });

  test('isotonic: neighbours that would fall are one block, with half an item of each kind', () => {
    const said = [0.1, 0.2, 0.8, 0.9].map((probability, index) => ({ probability, isTrue: index % 2 === 0 }));
    expect(fitIsotonic(said)).toEqual({ method: 'isotonic', points: [[expect.closeTo(0.5), 0.5]] });
  });

  test('isotonic: straight lines between points', () => {
    const map = {
      method: 'isotonic' as const,
      points: [
        [0.2, 0.4],
        [0.6, 0.8],
      ] as [number, number][],
    };
    expect([0, 0.2, 0.4, 0.6, 1].map((said) => mapProbability(map, said))).toEqual([
      0.4,
      0.4,
      expect.closeTo(0.6),
      0.8,
      0.8,
    ]);
  });

  test('certainty has a loss with an end', () => {
    expect(logLossOf(1, false)).toBeCloseTo(-Math.log(0.005));
    expect(logLossOf(1, true)).toBeCloseTo(-Math.log(0.995));
  });
});
