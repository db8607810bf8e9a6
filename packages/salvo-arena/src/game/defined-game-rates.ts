import { type DefinedRates, definedRates } from '../match/results/defined-rates.ts';
import type { GameScores } from './game-document.ts';

type Counts = Pick<GameScores, 'true_positives' | 'false_positives' | 'false_negatives' | 'false_alarms_by_twin'>;

/** The rates of a game as people see them: by the classic precision, and by the clean twin if Blue looked at it. */
export function definedGameRates(scores: Counts): { classic: DefinedRates; byTwin: DefinedRates | null } {
  const { true_positives: found, false_negatives: evaded, false_positives, false_alarms_by_twin } = scores;
  return {
    classic: definedRates({ found, evaded, alarms: false_positives }),
    byTwin: false_alarms_by_twin === null ? null : definedRates({ found, evaded, alarms: false_alarms_by_twin }),
  };
}
