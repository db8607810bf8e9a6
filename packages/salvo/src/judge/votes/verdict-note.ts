import { meetsThreshold } from '../../stats/meets-threshold.ts';

/** A sentence where the verdict is not what the score implies; null where they agree. */
export function verdictNote(judgement: { score: number; passed: boolean; threshold: number }): string | null {
  const { score, passed, threshold } = judgement;
  if (meetsThreshold(score, threshold) === passed) return null;
  const [verdict, relation] = passed ? ['passed', 'is below'] : ['failed', 'meets'];
  return `The majority of the votes ${verdict} it, although its score of ${exact(score)} ${relation} its threshold of ${exact(threshold)}.`;
}

/** With two digits, or with more where two would hide a difference. */
function exact(value: number): string {
  const short = value.toFixed(2);
  return Math.abs(Number(short) - value) < 1e-9 ? short : String(Number(value.toFixed(6)));
}
