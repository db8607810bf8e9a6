import { remembered } from 'salvo/kit/text';
import type { GameScores } from '../../game/game-document.ts';
import { pooledRates } from '../../match/results/game-rates.ts';
import type { RunStability, Spread } from './experiment-results.ts';

interface BlueRuns {
  codes: number;
  flaws: { always: number; sometimes: number; never: number };
  /** Sums over all code, for each run. */
  sums: { found: number; evaded: number; alarms: number }[];
}

/** How much the runs of each Blue on the same code differ. Code on which a run failed is left out. */
export function createRunStability(runs: number) {
  const blues = new Map<string, BlueRuns>();
  return {
    /** Adds the scores of all runs of one Blue on one piece of code. */
    add(blue: string, scores: readonly GameScores[]): void {
      if (runs < 2 || scores.length < runs) return;
      const tally = remembered(blues, blue, () => ({
        codes: 0,
        flaws: { always: 0, sometimes: 0, never: 0 },
        sums: Array.from({ length: runs }, () => ({ found: 0, evaded: 0, alarms: 0 })),
      }));
      tally.codes += 1;
      const foundBy = new Map<string, number>();
      for (const [run, { vulnerabilities, ...rest }] of scores.entries()) {
        for (const { id, found } of vulnerabilities) foundBy.set(id, (foundBy.get(id) ?? 0) + (found ? 1 : 0));
        const sums = tally.sums[run];
        if (!sums) continue;
        sums.found += rest.true_positives;
        sums.evaded += rest.false_negatives;
        sums.alarms += rest.false_alarms_by_twin ?? rest.false_positives;
      }
      for (const times of foundBy.values()) {
        tally.flaws[times === 0 ? 'never' : times === scores.length ? 'always' : 'sometimes'] += 1;
      }
    },
    stability: (): RunStability[] =>
      [...blues].map(([blue, { codes, flaws, sums }]) => {
        const rates = sums.map(pooledRates);
        return {
          ...{ blue, runs, codes, ...flaws },
          recall: spread(rates.map(({ recall }) => recall)),
          precision: spread(rates.map(({ precision }) => precision)),
          f1: spread(rates.map(({ f1 }) => f1)),
        };
      }),
  };
}

/** Null where a run has no such rate: who reports nothing has no precision. */
function spread(values: readonly number[]): Spread | null {
  if (values.length < 2 || values.some(Number.isNaN)) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    mean,
    sd: Math.sqrt(squares / (values.length - 1)),
    lowest: Math.min(...values),
    highest: Math.max(...values),
  };
}
