import { snakeCase } from 'salvo/kit/text-files';
import type { ScoreResults, ScoreResultsDict } from './score-results.ts';

/** The figures that every document about a score has. */
export function mainFigures(results: ScoreResultsDict) {
  const { true_positives, false_positives, false_negatives, precision, recall, f1_score, evasion_rate } = results;
  return { true_positives, false_positives, false_negatives, precision, recall, f1_score, evasion_rate };
}

/**
 * The results of a game as a document: the same in snake_case, ready for JSON. The keys of a breakdown are data, such
 * as a technique in Red's words, and stay as they are.
 */
export function scoreResultsToDict({ breakdowns, ...results }: ScoreResults): ScoreResultsDict {
  return { ...snakeCase(results), breakdowns: structuredClone(breakdowns) };
}
