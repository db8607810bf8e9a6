import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JudgeError } from '../claims/judge-error.ts';
import { aggregateResults } from './aggregate-results.ts';
import { matchMetrics } from './match-metrics.ts';

const game = (truePositives: number, falsePositives: number, falseNegatives: number) =>
  matchMetrics({ truePositives, falsePositives, falseNegatives, duplicates: 0, falseAlarmsByTwin: null });

describe('aggregateResults', () => {
  it('averages over games, and pools them', () => {
    const results = aggregateResults([game(1, 0, 0), game(1, 9, 3)]);
    expect(results).toMatchObject({
      total_games: 2,
      total_empty: 0,
      avg_precision: 0.55,
      avg_recall: 0.625,
      avg_evasion: 0.375,
      total_tp: 2,
      total_fp: 9,
      total_fn: 3,
      micro_recall: 0.4,
      micro_evasion: 0.6,
    });
    expect(results.avg_f1).toBeCloseTo((1 + 2 / 14) / 2, 12);
    expect(results.micro_precision).toBeCloseTo(2 / 11, 12);
    expect(results.micro_f1).toBeCloseTo(4 / 16, 12);
  });

  it('refuses anything but results, such as the document of one', () => {
    const { truePositives: true_positives, ...document } = { ...game(1, 0, 0) };
    const wrong = JSON.parse(JSON.stringify([game(1, 0, 0), { ...document, true_positives }]));
    expect(() => aggregateResults(wrong)).toThrow('entry 2 is not the result of a game');
    expect(() => aggregateResults(JSON.parse('[null]'))).toThrow(JudgeError);
  });

  it('is 0 everywhere for no games, with no interval', () => {
    const { intervals, ...metrics } = aggregateResults([]);
    expect(Object.values(metrics)).toEqual(Array.from({ length: 13 }, () => 0));
    expect(new Set(Object.values(intervals))).toEqual(new Set([null]));
  });

  it('counts empty games, and says how many there were', () => {
    expect(aggregateResults([game(1, 0, 0), game(0, 0, 0)])).toMatchObject({
      total_games: 2,
      total_empty: 1,
      avg_precision: 0.5,
      micro_precision: 1,
    });
  });

  it('has no interval for one game', () => {
    expect(aggregateResults([game(3, 1, 1)]).intervals.avg_recall).toBeNull();
  });

  it('is the same in any order of the games, and its intervals contain its metrics', () => {
    const games = fc.array(
      fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)).map((counts) => game(...counts)),
      { minLength: 2, maxLength: 12 },
    );
    fc.assert(
      fc.property(games, fc.integer(), (all, seed) => {
        const options = { seed };
        const results = aggregateResults(all, options);
        expect(aggregateResults(all.toReversed(), options)).toEqual(results);
        for (const rate of ['avg_f1', 'avg_evasion', 'micro_precision', 'micro_recall'] as const) {
          expect(results.intervals[rate]?.low).toBeLessThanOrEqual(results[rate] + 1e-12);
          expect(results.intervals[rate]?.high).toBeGreaterThanOrEqual(results[rate] - 1e-12);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('has wider intervals with fewer games', () => {
    const width = (games: number) => {
      const all = Array.from({ length: games }, (_, index) => game(index % 5, 2, 4 - (index % 5)));
      const { low, high } = aggregateResults(all).intervals.avg_recall ?? { low: 0, high: 0 };
      return high - low;
    };
    expect(width(10)).toBeGreaterThan(2 * width(100));
  });
});
