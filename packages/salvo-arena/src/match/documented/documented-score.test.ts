import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCommon, documentedScore, kindPoints, sameCategory } from './documented-score.ts';

describe('the documented score', () => {
  it('is 1 when everything agrees and 0 when nothing does', () => {
    expect(documentedScore(75, 7, 7)).toBe(1);
    expect(documentedScore(0, 0, 7)).toBe(0);
    expect(documentedScore(0, 0, 0)).toBe(0);
  });

  it('adds up without rounding', () => {
    expect(documentedScore(30, 2, 5)).toBe(0.4);
    expect(documentedScore(45, 5, 5)).toBe(0.7);
    expect(documentedScore(20, 4, 5)).toBe(0.4);
  });

  it('rises with every common word and never leaves 0 to 1', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 20, 25, 30, 45, 50, 55, 75), fc.nat(60), fc.nat(60), (base, common, rest) => {
        const score = documentedScore(base, common, common + rest);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(documentedScore(base, common + 1, common + 1 + rest)).toBeGreaterThanOrEqual(score);
        expect(documentedScore(base, 1, 1)).toBeGreaterThanOrEqual(score);
      }),
    );
  });
});

describe('category and severity', () => {
  const kind = { type: -1, categories: 0, severity: -1 };

  it('give nothing when neither side states one', () => {
    expect(kindPoints(kind, kind)).toBe(0);
  });

  it('give 30 for an equal type or a shared category, and 20 for an equal severity', () => {
    expect(kindPoints({ ...kind, type: 4 }, { ...kind, type: 4 })).toBe(30);
    expect(kindPoints({ ...kind, categories: 0b011 }, { ...kind, categories: 0b110 })).toBe(30);
    expect(kindPoints({ ...kind, severity: 0 }, { ...kind, severity: 0 })).toBe(20);
    expect(kindPoints({ type: 1, categories: 1, severity: 2 }, { type: 1, categories: 1, severity: 2 })).toBe(50);
  });

  it('give nothing when both differ', () => {
    expect(sameCategory({ type: 1, categories: 0b01 }, { type: 2, categories: 0b10 })).toBe(false);
    expect(kindPoints({ ...kind, severity: 1 }, { ...kind, severity: 2 })).toBe(0);
  });
});

describe('common numbers', () => {
  it('are those of the intersection', () => {
    const ascending = fc.uniqueArray(fc.nat(30)).map((numbers) => Int32Array.from(numbers).sort());
    fc.assert(
      fc.property(ascending, ascending, (a, b) => {
        expect(countCommon(a, b)).toBe(new Set(a).intersection(new Set(b)).size);
      }),
    );
  });
});
