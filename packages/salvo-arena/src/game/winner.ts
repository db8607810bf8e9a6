import type { GameScores } from './game-document.ts';

export interface GameVerdict {
  winner: 'red' | 'blue' | 'draw';
  /** One sentence. */
  reason: string;
}

type DecidingScores = Pick<
  GameScores,
  | 'true_positives'
  | 'false_negatives'
  | 'youden_j'
  | 'false_positive_rate'
  | 'clean_resources'
  | 'flagged_clean_resources'
>;

/**
 * Blue wins by finding more than half of the flaws, Red by keeping more than half of them hidden; exactly half is a
 * draw. A Blue that flags clean resources as readily as flawed ones is no better than guessing: Red wins.
 */
export function decideWinner(scores: DecidingScores): GameVerdict {
  const { true_positives: found, false_negatives: evaded, youden_j, false_positive_rate } = scores;
  const of = `of ${found + evaded} ${found + evaded === 1 ? 'flaw' : 'flaws'}`;
  if (found < evaded) return { winner: 'red', reason: `Red wins: ${evaded} ${of} evaded Blue.` };
  if (youden_j !== null && false_positive_rate !== null && youden_j <= 0) {
    const { clean_resources: clean, flagged_clean_resources: flagged } = scores;
    const reason = `Blue found ${found} ${of}, but flagged ${flagged} of ${clean} clean resources just as readily`;
    return { winner: 'red', reason: `Red wins: ${reason}, which is no better than guessing.` };
  }
  if (found === evaded) return { winner: 'draw', reason: `A draw: Blue found ${found} ${of}, and as many evaded it.` };
  return { winner: 'blue', reason: `Blue wins: it found ${found} ${of}.` };
}
