import type { correctedPassRate as Correct, JudgedRate } from '../../judge/calibration/corrected-pass-rate.ts';
import type { CalibrationOf, KnownCalibration } from '../../judge/calibration/judges-in-use.ts';
import type { JudgeSummary } from '../record/judge-summary.ts';
import type { ScenarioSummary } from '../record/run-document.ts';

/** The summary with the pass rates of its judges corrected by their calibrations, where there are any. */
export async function withCalibrations(
  summary: ScenarioSummary,
  calibrationOf: CalibrationOf | undefined,
): Promise<ScenarioSummary> {
  if (!calibrationOf || summary.judges.length === 0) return summary;
  const { correctedPassRate } = await import('../../judge/calibration/corrected-pass-rate.ts');
  const judges = await Promise.all(
    summary.judges.map(async (judge) =>
      calibrated(judge, summary, await calibrationOf(judge.judge_hash), correctedPassRate),
    ),
  );
  return { ...summary, judges };
}

function calibrated(
  judge: JudgeSummary,
  scenario: ScenarioSummary,
  known: KnownCalibration | undefined,
  correct: typeof Correct,
): JudgeSummary {
  if (!known) return { ...judge, calibrated: null };
  const checked = known.drift ? { ...judge, drift: known.drift } : judge;
  if (!known.record) {
    const note = known.difference === null ? null : `${known.difference}: calibrate again`;
    return { ...checked, calibrated: false, calibration_note: note };
  }
  // What people and the judge said of each other is about another judge now.
  if (known.drift?.outcome === 'changed') return { ...checked, calibrated: true };
  if ((judge.cascade?.people?.decided ?? 0) > 0) {
    const note = 'not corrected: people decided some of the trials, and the calibration is about judges';
    return { ...checked, calibrated: true, calibration_verdict: known.record.verdict, calibration_note: note };
  }
  const { rate, interval, labels, note } = correct(known.record, {
    observed: judgedRate(judge, scenario),
    scenario: scenario.name,
  });
  return {
    ...checked,
    calibrated: true,
    calibration_verdict: known.record.verdict,
    calibration_note: note,
    corrected_pass_rate: rate,
    corrected_ci: interval,
    ...(labels === undefined ? {} : { corrected_by: { method: 'error_rates', labels } }),
  };
}

/**
 * The pass rate that a judge found, and how certain it is. A run of an earlier version does not say how alike the trials
 * of a case are: there every case counts as one trial.
 */
export function judgedRate(judge: JudgeSummary, { cases }: Pick<ScenarioSummary, 'cases'>): JudgedRate {
  const { trials_judged, trials_worth, pass_rate } = judge;
  const worth = trials_worth ?? (cases.length > 1 ? Math.min(trials_judged, cases.length) : trials_judged);
  return { rate: pass_rate, worth, interval: judge.pass_rate_ci ?? null };
}
