import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clampScore } from './read-scores.ts';

const anyNumber = fc.double({ noNaN: true });

test('a clamped score lies between 0 and 1', () => {
  fc.assert(
    fc.property(anyNumber, (score) => {
      expect(clampScore(score)).toBeGreaterThanOrEqual(0);
      expect(clampScore(score)).toBeLessThanOrEqual(1);
    }),
  );
});

test('clamping is idempotent, and leaves what is a score already', () => {
  fc.assert(
    fc.property(anyNumber, fc.double({ min: 0, max: 1, noNaN: true }), (score, proper) => {
      expect(clampScore(clampScore(score))).toBe(clampScore(score));
      expect(clampScore(proper) - proper).toBe(0);
    }),
  );
});
