import { type GameRates, pooledRates, type RateSums } from './game-rates.ts';
import { fBeta } from './match-metrics.ts';
import type { ScoreResults } from './score-results.ts';

/** Rates as people see them. Null where there is nothing to compute one from: who reports nothing has no precision. */
export type DefinedRates = Record<keyof GameRates, number | null>;

function definedRates(counts: Pick<RateSums, 'found' | 'evaded' | 'alarms'>): DefinedRates {
  const { precision, recall, f1, evasion } = pooledRates(counts);
  return {
    precision: definedOrNull(precision),
    recall: definedOrNull(recall),
    f1: definedOrNull(f1),
    evasion: definedOrNull(evasion),
  };
}

/** The rates of a score: by the classic precision, and by the clean twin if there is a report on it. */
export function definedScoreRates(results: ScoreResults) {
  const { truePositives: found, falseNegatives: evaded, falsePositives, falseAlarmsByTwin, unresolved } = results;
  return allDefinedRates({
    found,
    evaded,
    alarms: falsePositives,
    byTwin: falseAlarmsByTwin?.length ?? null,
    unresolved: unresolved?.length ?? null,
  });
}

/** Classic, by the clean twin, and by the twin with the unresolved findings left out. */
export function allDefinedRates(counts: {
  found: number;
  evaded: number;
  alarms: number;
  /** The false alarms by the twin; null without a look at it. */
  byTwin: number | null;
  /** How many of them are unresolved; null if that is not known. */
  unresolved: number | null;
}): { classic: DefinedRates; byTwin: DefinedRates | null; resolved: DefinedRates | null } {
  const { found, evaded, alarms, byTwin, unresolved } = counts;
  return {
    classic: definedRates({ found, evaded, alarms }),
    byTwin: byTwin === null ? null : definedRates({ found, evaded, alarms: byTwin }),
    resolved:
      byTwin === null || unresolved === null ? null : definedRates({ found, evaded, alarms: byTwin - unresolved }),
  };
}

/** Null where precision or recall has no value. */
export function fBetaOf({ precision, recall }: DefinedRates, beta: number): number | null {
  return precision === null || recall === null ? null : fBeta(precision, recall, beta);
}

function definedOrNull(rate: number): number | null {
  return Number.isNaN(rate) ? null : rate;
}
