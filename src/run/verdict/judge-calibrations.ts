import { correctedPassRate } from '../../judge/calibration/corrected-pass-rate.ts';
import type { CalibrationOf, KnownCalibration } from '../../judge/calibration/judges-in-use.ts';
import type { JudgeSummary } from '../record/judge-summary.ts';
import type { ScenarioSummary } from '../record/run-document.ts';

/** The summary with the pass rates of its judges corrected by their calibrations, where there are any. */
export async function withCalibrations(
  summary: ScenarioSummary,
  calibrationOf: CalibrationOf | undefined,
): Promise<ScenarioSummary> {
  if (!calibrationOf) return summary;
  const judges = await Promise.all(
    summary.judges.map(async (judge) => calibrated(judge, summary.name, await calibrationOf(judge.judge_hash))),
  );
  return { ...summary, judges };
}

function calibrated(judge: JudgeSummary, scenario: string, known: KnownCalibration | undefined): JudgeSummary {
  if (!known) return { ...judge, calibrated: null };
  if (!known.record) {
    const note = known.difference === null ? null : `${known.difference}: calibrate again`;
    return { ...judge, calibrated: false, calibration_note: note };
  }
  const passed = Math.round((judge.pass_rate ?? 0) * judge.trials_judged);
  const { rate, interval, note } = correctedPassRate(known.record, {
    observed: { passed, total: judge.trials_judged },
    scenario,
  });
  return {
    ...judge,
    calibrated: true,
    calibration_verdict: known.record.verdict,
    calibration_note: note,
    corrected_pass_rate: rate,
    corrected_ci: interval,
  };
}
