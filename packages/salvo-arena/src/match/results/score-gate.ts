import { meetsThreshold } from 'salvo/kit/stats';
import { z } from 'zod';
import type { ScoreResults } from './score-results.ts';

/** The lowest scores that pass. */
export interface ScorePolicy {
  minRecall?: number | undefined;
  minPrecision?: number | undefined;
  minF1?: number | undefined;
}

export const gateOutcomeSchema = z.object({
  status: z.enum(['passed', 'failed', 'unscored']),
  /** What was too low, or why there is no verdict. */
  messages: z.array(z.string()),
});

export type GateOutcome = z.infer<typeof gateOutcomeSchema>;

/**
 * Whether a score passes, by the precision that is used. Without anything to score, or with pairs that a model left undecided, there is no verdict.
 */
export function gateScore(results: ScoreResults, policy: ScorePolicy): GateOutcome {
  if (results.empty) {
    return { status: 'unscored', messages: ['neither a vulnerability nor a finding: there is nothing to score'] };
  }
  const undecided = results.models?.undecided ?? 0;
  if (undecided > 0) {
    const pairs = undecided === 1 ? '1 pair was' : `${undecided} pairs were`;
    return { status: 'unscored', messages: [`${pairs} left undecided by the model`] };
  }
  const byTwin = results.precisionUsed === 'twin' ? ' by the twin' : '';
  const messages = [
    tooLow('recall', results.recall, policy.minRecall),
    withoutFindings(results, policy.minPrecision) ??
      tooLow(`precision${byTwin}`, results.precisionByTwin ?? results.precision, policy.minPrecision),
    tooLow(`F1${byTwin}`, results.f1ByTwin ?? results.f1Score, policy.minF1),
  ].filter((message) => message !== null);
  return { status: messages.length === 0 ? 'passed' : 'failed', messages };
}

/** Nothing reported: there is no precision that could be high enough. */
function withoutFindings({ truePositives, falsePositives }: ScoreResults, least: number | undefined): string | null {
  if (least === undefined || least === 0 || truePositives + falsePositives > 0) return null;
  return `nothing was reported, so there is no precision, and ${least} is needed`;
}

function tooLow(name: string, value: number, least: number | undefined): string | null {
  if (least === undefined || meetsThreshold(value, least)) return null;
  return `${name} ${value.toFixed(3)} is below ${least}`;
}
