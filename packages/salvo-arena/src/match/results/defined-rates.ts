import { type GameRates, pooledRates, type RateSums } from './game-rates.ts';
import type { ScoreResults } from './score-results.ts';

/** Rates as people see them. Null where there is nothing to compute one from: who reports nothing has no precision. */
export type DefinedRates = Record<keyof GameRates, number | null>;

export function definedRates(counts: Pick<RateSums, 'found' | 'evaded' | 'alarms'>): DefinedRates {
  const { precision, recall, f1, evasion } = pooledRates(counts);
  return {
    precision: definedOrNull(precision),
    recall: definedOrNull(recall),
    f1: definedOrNull(f1),
    evasion: definedOrNull(evasion),
  };
}

/** The rates of a score: by the classic precision, and by the clean twin if there is a report on it. */
export function definedScoreRates(results: ScoreResults): { classic: DefinedRates; byTwin: DefinedRates | null } {
  const { truePositives: found, falseNegatives: evaded, falsePositives, falseAlarmsByTwin } = results;
  return {
    classic: definedRates({ found, evaded, alarms: falsePositives }),
    byTwin: falseAlarmsByTwin && definedRates({ found, evaded, alarms: falseAlarmsByTwin.length }),
  };
}

function definedOrNull(rate: number): number | null {
  return Number.isNaN(rate) ? null : rate;
}
