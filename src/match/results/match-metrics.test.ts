import { describe, expect, it } from 'vitest';
import { gameFigures } from './match-metrics.ts';

const counts = { truePositives: 0, falsePositives: 0, falseNegatives: 0, duplicates: 0 };

describe('gameFigures', () => {
  it('are the rates of the counts', () => {
    const figures = gameFigures({ truePositives: 2, falsePositives: 2, falseNegatives: 6, duplicates: 1 });
    expect(figures).toMatchObject({ precision: 0.5, recall: 0.25, evasionRate: 0.75, empty: false });
    expect(figures.f1Score).toBeCloseTo(1 / 3, 12);
    expect(figures.f2Score).toBeCloseTo(0.277_778, 6);
    expect(figures.f05Score).toBeCloseTo(0.416_667, 6);
  });

  it('leave duplicates out of the second precision only', () => {
    const figures = gameFigures({ ...counts, truePositives: 2, falsePositives: 2, duplicates: 2 });
    expect(figures).toMatchObject({ precision: 0.5, precisionWithoutDuplicates: 1 });
  });

  it('have a precision of 0 when there are no findings', () => {
    expect(gameFigures({ ...counts, falseNegatives: 3 })).toMatchObject({
      precision: 0,
      precisionWithoutDuplicates: 0,
      recall: 0,
      f1Score: 0,
      evasionRate: 1,
      empty: false,
      intervals: { precision: null, recall: { low: 0 }, evasionRate: { high: 1 } },
    });
  });

  it('have a recall and an evasion rate of 0 when there was nothing to find', () => {
    expect(gameFigures({ ...counts, falsePositives: 3 })).toMatchObject({
      precision: 0,
      recall: 0,
      evasionRate: 0,
      empty: false,
      intervals: { precision: { low: 0 }, recall: null, evasionRate: null },
    });
  });

  it('of nothing at all are said to be of nothing', () => {
    expect(gameFigures(counts)).toMatchObject({ empty: true, precision: 0, recall: 0, f1Score: 0, evasionRate: 0 });
  });
});
