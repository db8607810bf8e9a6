import { describe, expect, it } from 'vitest';
import { sampleCalibration } from '../../../../../test/sample-calibration.ts';
import { sampleJudgeSummary, sampleSummary } from '../../../../../test/sample-run.ts';
import type { CalibrationRecord } from '../../judge/calibration/calibration-record.ts';
import type { KnownCalibration } from '../../judge/calibration/judges-in-use.ts';
import type { JudgeSummary } from '../record/judge-summary.ts';
import type { ScenarioSummary } from '../record/run-document.ts';
import { judgedRate, withCalibrations } from './judge-calibrations.ts';

const uncorrected = {
  calibrated: null,
  calibration_verdict: null,
  calibration_note: null,
  corrected_pass_rate: null,
  corrected_ci: null,
};

async function calibrated(known: CalibrationRecord | KnownCalibration | undefined, change: Partial<JudgeSummary> = {}) {
  const judge = sampleJudgeSummary({ ...uncorrected, trials_judged: 100, pass_rate: 0.8, ...change });
  const { judges } = await withCalibrations(sampleSummary({ judges: [judge] }), async () =>
    known && 'record' in known ? known : known && { record: known },
  );
  return judges[0];
}

describe('withCalibrations', () => {
  it('corrects the pass rate of a judge that was compared with people', async () => {
    // Sensitivity and specificity 0.9: (0.8 + 0.9 - 1) / (0.9 + 0.9 - 1)
    const judge = await calibrated(sampleCalibration());
    expect(judge).toMatchObject({ calibrated: true, calibration_verdict: 'usable', pass_rate: 0.8 });
    expect(judge?.corrected_pass_rate).toBeCloseTo(0.875);
    expect(judge?.corrected_ci?.[0]).toBeLessThan(0.875);
    expect(judge?.corrected_ci?.[1]).toBeGreaterThan(0.875);
  });

  it('takes trials for as many as they are worth, and is never narrower than the judge', async () => {
    const width = (judge: JudgeSummary | undefined) =>
      (judge?.corrected_ci?.[1] ?? 0) - (judge?.corrected_ci?.[0] ?? 0);
    const pass_rate_ci: [number, number] = [0.31, 0.85];
    const few = await calibrated(sampleCalibration(), { trials_worth: 8, pass_rate: 0.62, pass_rate_ci });
    const all = await calibrated(sampleCalibration(), { trials_worth: 100, pass_rate: 0.62 });
    expect(width(few)).toBeGreaterThan(width(all));
    expect(width(few)).toBeGreaterThanOrEqual(0.54);
  });

  it('counts every case of an earlier run as one trial, since nothing says how alike its trials are', () => {
    const judge = sampleJudgeSummary({ trials_judged: 200, pass_rate: 0.6 });
    const { trials_worth: _, pass_rate_ci: __, ...earlier } = judge;
    const cases = Array.from({ length: 10 }, () => ({}) as ScenarioSummary['cases'][number]);
    expect(judgedRate(earlier, { cases })).toEqual({ rate: 0.6, worth: 10, interval: null });
    expect(judgedRate(earlier, { cases: [] })).toEqual({ rate: 0.6, worth: 200, interval: null });
  });

  it('marks a judge that was never calibrated, and names how a calibrated one differs', async () => {
    expect(await calibrated({ record: null, difference: null })).toMatchObject({ ...uncorrected, calibrated: false });
    const near = { record: null, difference: 'calibrated with k=1, this run uses k=9' };
    expect(await calibrated(near)).toMatchObject({
      ...uncorrected,
      calibrated: false,
      calibration_note: 'calibrated with k=1, this run uses k=9: calibrate again',
    });
  });

  it('leaves a script, and a summary without lookup, as they are', async () => {
    expect(await calibrated(undefined)).toMatchObject(uncorrected);
    const summary = sampleSummary({ judges: [sampleJudgeSummary()] });
    expect(await withCalibrations(summary, undefined)).toBe(summary);
  });

  it('says what the correction assumes', async () => {
    expect((await calibrated(sampleCalibration()))?.calibration_note).toContain('which name no scenario');
  });

  it('corrects nothing when no trial was judged', async () => {
    const nothing = { trials_judged: 0, pass_rate: null };
    expect(await calibrated(sampleCalibration(), nothing)).toMatchObject({ corrected_pass_rate: null });
  });
});
