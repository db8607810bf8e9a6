import type { CalibrationRecord } from '../judge/calibration/calibration-record.ts';
import { correctedPassRate } from '../judge/calibration/corrected-pass-rate.ts';
import type { JudgeInUse } from './judges-in-use.ts';
import type { ScenarioSummary } from './run-document.ts';
import type { JudgeSummary } from './tally/judge-summary.ts';

/** How a judge compared with people: null when it never was, undefined for one that nobody would, such as a script. */
export type CalibrationOf = (judgeHash: string) => Promise<CalibrationRecord | null | undefined>;

/** Looks calibrations up where they are stored; of scripts nobody expects one. */
export function calibrationLookup(
  store: { getCalibration(judgeHash: string): Promise<CalibrationRecord | null> },
  judges: readonly JudgeInUse[],
): CalibrationOf {
  const scripts = new Set(judges.filter(({ isScript }) => isScript).map(({ judge_hash }) => judge_hash));
  return async (hash) => (await store.getCalibration(hash)) ?? (scripts.has(hash) ? undefined : null);
}

/** The judges that were never compared with people, though somebody could. */
export async function neverCalibrated(
  judges: readonly JudgeInUse[],
  calibrationOf: CalibrationOf,
): Promise<JudgeInUse[]> {
  const known = await Promise.all(judges.map(({ judge_hash }) => calibrationOf(judge_hash)));
  return judges.filter((_, index) => known[index] === null);
}

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
  // How often it errs was counted at one threshold, and says nothing of another.
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
