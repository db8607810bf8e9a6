import { formatScore } from '../stats/format.ts';
import { meetsThreshold } from '../stats/meets-threshold.ts';
import type { EvalResult } from './eval-result.ts';
import { failsTrial, type TrialScore } from './scorer.ts';

/**
 * The eval results of a trial; where its score meets a threshold and it failed all the same, those that decided it say
 * so in their details, unless a judge has said already that its verdict is not what its score implies. A judge's
 * metadata has the sentence as well, because reports show it instead of the details.
 */
export function withTrialNotes(
  evalResults: readonly EvalResult[],
  { status, score }: TrialScore,
  threshold: number | undefined,
): EvalResult[] {
  if (threshold === undefined || status !== 'failed' || score === null) return [...evalResults];
  if (!meetsThreshold(score, threshold)) return [...evalResults];
  const note = `It fails the trial, although the trial's score of ${formatScore(score)} meets the threshold of ${formatScore(threshold)}.`;
  return evalResults.map((result) => {
    const { metadata, details } = result;
    const said = Array.isArray(metadata.notes) ? metadata.notes : null;
    if (!failsTrial(result, threshold) || (said && said.length > 0)) return result;
    return { ...result, details: `${details} | ${note}`, metadata: { ...metadata, ...(said && { notes: [note] }) } };
  });
}
