import { describe, expect, test } from 'vitest';
import { decideWinner } from './winner.ts';

function scores(found: number, evaded: number, clean: { flagged: number; of: number } | null = null) {
  const recall = found / (found + evaded);
  const rate = clean ? clean.flagged / clean.of : null;
  return {
    true_positives: found,
    false_negatives: evaded,
    clean_resources: clean?.of ?? 0,
    flagged_clean_resources: clean?.flagged ?? 0,
    false_positive_rate: rate,
    youden_j: rate === null ? null : recall - rate,
  };
}

describe('decideWinner', () => {
  test('Blue wins when it found more than half of the flaws', () => {
    expect(decideWinner(scores(3, 2))).toEqual({ winner: 'blue', reason: 'Blue wins: it found 3 of 5 flaws.' });
  });

  test('Red wins when more than half evaded', () => {
    expect(decideWinner(scores(2, 3))).toEqual({ winner: 'red', reason: 'Red wins: 3 of 5 flaws evaded Blue.' });
    expect(decideWinner(scores(0, 1)).reason).toBe('Red wins: 1 of 1 flaw evaded Blue.');
  });

  test('half and half is a draw', () => {
    expect(decideWinner(scores(2, 2)).winner).toBe('draw');
  });

  test('a Blue that flags everything has won nothing', () => {
    const verdict = decideWinner(scores(5, 0, { flagged: 10, of: 10 }));
    expect(verdict.winner).toBe('red');
    expect(verdict.reason).toMatch(/flagged 10 of 10 clean resources just as readily/);
    expect(decideWinner(scores(5, 0, { flagged: 9, of: 10 })).winner).toBe('blue');
  });
});
