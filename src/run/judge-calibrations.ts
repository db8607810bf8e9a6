import { correctedPassRate } from '../judge/calibration/calibration.ts';
import type { CalibrationRecord } from '../judge/calibration/calibration-record.ts';
import type { CalibrationOf } from '../judge/calibration/judges-in-use.ts';
import type { JudgeSummary } from './judge-summary.ts';
import type { ScenarioSummary } from './run-document.ts';

/** The summary with the pass rates of its judges corrected by their calibrations, where there are any. */
export async function withCalibrations(
  summary: ScenarioSummary,
  calibrationOf: CalibrationOf | undefined,
): Promise<ScenarioSummary> {
  if (!calibrationOf) return summary;
  const judges = await Promise.all(
    summary.judges.map(async (judge) => calibrated(judge, await calibrationOf(judge.judge_hash))),
  );
  return { ...summary, judges };
}

function calibrated(judge: JudgeSummary, record: CalibrationRecord | null | undefined): JudgeSummary {
  if (!record) return { ...judge, calibrated: record === null ? false : null };
  const passed = Math.round((judge.pass_rate ?? 0) * judge.trials_judged);
  // A calibration counts errors at its own threshold and does not apply to another.
  const corrected =
    record.threshold === judge.threshold ? correctedPassRate(record, { passed, total: judge.trials_judged }) : null;
  return {
    ...judge,
    calibrated: true,
    calibration_verdict: record.verdict,
    corrected_pass_rate: corrected?.rate ?? null,
    corrected_ci: corrected?.interval ?? null,
  };
}
