import { type SnakeCase, snakeCase } from '../../text/snake-case.ts';
import type { RecallOf, ScoreResults } from './score-results.ts';

type Breakdowns = ScoreResults['breakdowns'];

/** `ScoreResults` as a document. */
export type ScoreResultsDict = SnakeCase<Omit<ScoreResults, 'breakdowns'>> & { breakdowns: Breakdowns };

/**
 * The results of a game as a document: the same in snake_case, ready for JSON. The keys of a breakdown are data, such
 * as a technique in Red's words, and stay as they are.
 */
export function scoreResultsToDict({ breakdowns, ...results }: ScoreResults): ScoreResultsDict {
  return {
    ...snakeCase(results),
    breakdowns: {
      category: copied(breakdowns.category),
      severity: copied(breakdowns.severity),
      difficulty: copied(breakdowns.difficulty),
      technique: copied(breakdowns.technique),
    },
  };
}

function copied(breakdown: Record<string, RecallOf>): Record<string, RecallOf> {
  return Object.fromEntries(Object.entries(breakdown).map(([kind, recall]) => [kind, { ...recall }]));
}
