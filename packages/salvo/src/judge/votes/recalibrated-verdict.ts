import { mapProbability } from '../../stats/agreement/probability-map.ts';
import type { CalibrationRecord } from '../calibration/calibration-record.ts';
import { EVEN_PROBABILITY } from './aggregation.ts';
import type { JudgeMetadata } from './judge-metadata.ts';

/** What the calibration of a judge stores about how its probabilities are to be read. */
export type JudgeRecalibration = NonNullable<CalibrationRecord['recalibration']> & { calibrated_at: string };

/** The recalibration of a judge by its hash; null if its calibration has none. */
export type RecalibrationOf = (judgeHash: string) => Promise<JudgeRecalibration | null>;

/** A verdict by a recalibrated probability, and what is kept of it. */
export function recalibratedVerdict(
  probability: number,
  { passed, recalibration }: { passed: boolean; recalibration: JudgeRecalibration },
): { passed: boolean; kept: NonNullable<JudgeMetadata['recalibration']>; note: string | null } {
  const { map, answers, calibrated_at } = recalibration;
  const mapped = mapProbability(map, probability);
  const now = mapped > EVEN_PROBABILITY;
  return {
    passed: now,
    kept: { method: map.method, calibrated_at, answers, said: probability, probability: mapped, passed_before: passed },
    note:
      now === passed
        ? null
        : `Recalibrated (${map.method}, by ${answers} labels): its probability of ${probability.toFixed(2)} counts as ${mapped.toFixed(2)}, so it ${now ? 'passes, and would have failed' : 'fails, and would have passed'} without.`,
  };
}

/** How likely a judge says that it passes: of a decision, or the share of its votes. Null for a single vote. */
export function saidProbability(
  votes: readonly { passed: boolean | null }[],
  probability: number | undefined,
): number | null {
  if (probability !== undefined) return probability;
  const cast = votes.flatMap(({ passed }) => passed ?? []);
  return cast.length < 2 ? null : cast.filter(Boolean).length / cast.length;
}
