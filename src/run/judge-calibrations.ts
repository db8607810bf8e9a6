import type { CalibrationRecord } from '../judge/calibration-record.ts';
import { correctedPassRate } from '../judge/corrected-pass-rate.ts';
import type { JudgeSummary } from './judge-summary.ts';
import type { ScenarioSummary } from './run-document.ts';

/** How a judge compared with people: null when it never was, undefined for one that nobody would, such as a script. */
export type CalibrationOf = (judgeHash: string) => Promise<CalibrationRecord | null | undefined>;

/** The summary, with every judge's pass rate as people would have found it, where that can be told. */
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
  const corrected = correctedPassRate(record, { passed, total: judge.trials_judged });
  return {
    ...judge,
    calibrated: true,
    corrected_pass_rate: corrected?.rate ?? null,
    corrected_ci: corrected?.interval ?? null,
  };
}
