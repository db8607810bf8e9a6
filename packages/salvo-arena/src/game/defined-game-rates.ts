import { allDefinedRates } from '../match/results/defined-rates.ts';
import type { GameScores } from './game-document.ts';

type Counts = Pick<
  GameScores,
  'true_positives' | 'false_positives' | 'false_negatives' | 'false_alarms_by_twin' | 'unresolved'
>;

/** The rates of a game as people see them: by the classic precision, and by the clean twin if Blue looked at it. */
export function definedGameRates(scores: Counts): ReturnType<typeof allDefinedRates> {
  return allDefinedRates({
    found: scores.true_positives,
    evaded: scores.false_negatives,
    alarms: scores.false_positives,
    byTwin: scores.false_alarms_by_twin,
    unresolved: scores.unresolved ?? null,
  });
}
