import { wilsonInterval } from '../../stats/wilson-interval.ts';
import { fBeta } from './f-beta.ts';
import type { Interval, ScoreResults } from './score-results.ts';

interface GameCounts {
  truePositives: number;
  /** Findings without a match, duplicates among them. */
  falsePositives: number;
  falseNegatives: number;
  duplicates: number;
}

type GameFigures = Pick<
  ScoreResults,
  | 'truePositives'
  | 'falsePositives'
  | 'falseNegatives'
  | 'precision'
  | 'recall'
  | 'f1Score'
  | 'f2Score'
  | 'f05Score'
  | 'evasionRate'
  | 'empty'
  | 'precisionWithoutDuplicates'
  | 'intervals'
>;

/** All that follows from the counts alone. A rate of nothing is 0, and has no interval. */
export function gameFigures({ truePositives, falsePositives, falseNegatives, duplicates }: GameCounts): GameFigures {
  const findings = truePositives + falsePositives;
  const vulnerabilities = truePositives + falseNegatives;
  const precision = rate(truePositives, findings);
  const recall = rate(truePositives, vulnerabilities);
  return {
    truePositives,
    falsePositives,
    falseNegatives,
    precision,
    recall,
    f1Score: fBeta(precision, recall, 1),
    f2Score: fBeta(precision, recall, 2),
    f05Score: fBeta(precision, recall, 0.5),
    evasionRate: rate(falseNegatives, vulnerabilities),
    empty: findings === 0 && vulnerabilities === 0,
    precisionWithoutDuplicates: rate(truePositives, findings - duplicates),
    intervals: {
      precision: intervalOf(truePositives, findings),
      recall: intervalOf(truePositives, vulnerabilities),
      evasionRate: intervalOf(falseNegatives, vulnerabilities),
    },
  };
}

function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function intervalOf(passed: number, total: number): Interval | null {
  const interval = wilsonInterval({ passed, total });
  return interval && { low: interval[0], high: interval[1] };
}
