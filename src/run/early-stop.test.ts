import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleTrial } from '../../test/sample-trial.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { isVerdictCertain } from './early-stop.ts';
import { createScenarioTally } from './tally/scenario-tally.ts';
import { runVerdict, type TrialCounts } from './verdict.ts';

interface Demands {
  planned: number;
  threshold: number;
  minPassRate: number | null;
  hasRequired: boolean;
  allowUnscored: boolean;
}

function isCertain(counts: TrialCounts, demands: Demands): boolean {
  const { planned, threshold, minPassRate, hasRequired, allowUnscored } = demands;
  const options = { trials: planned, seed: null, record_only: false };
  return isVerdictCertain(
    counts,
    { threshold, assertions: [{ required: false }, { required: hasRequired }] },
    { ...options, allow_unscored: allowUnscored, min_pass_rate: minPassRate },
  );
}

function stops(changes: Partial<TrialCounts & Demands>): boolean {
  const { passed = 0, failed = 0, hardFailed = 0, unscored = 0, scoreSum = passed, ...demands } = changes;
  const scored = passed + failed + hardFailed;
  const counts = { total: scored + unscored, scored, passed, failed, hardFailed, unscored, scoreSum };
  const usual = { planned: 10, threshold: 0.8, minPassRate: null, hasRequired: false, allowUnscored: false };
  return isCertain(counts, { ...usual, ...demands });
}

describe('isVerdictCertain', () => {
  it('is false before anything ran', () => {
    expect(stops({})).toBe(false);
    expect(stops({ threshold: 0 })).toBe(false);
  });

  it('is true when a required assertion failed', () => {
    expect(stops({ passed: 1, hardFailed: 1, hasRequired: true })).toBe(true);
  });

  it('is true when a trial could not be scored, unless that is allowed', () => {
    expect(stops({ unscored: 1 })).toBe(true);
    expect(stops({ unscored: 1, allowUnscored: true })).toBe(false);
  });

  it('is true when the threshold is out of reach', () => {
    expect(stops({ failed: 2 })).toBe(false);
    expect(stops({ failed: 3 })).toBe(true);
  });

  it('is true when the pass rate is out of reach', () => {
    expect(stops({ passed: 4, failed: 1, scoreSum: 4.9, minPassRate: 0.9 })).toBe(false);
    expect(stops({ passed: 3, failed: 2, scoreSum: 4.9, minPassRate: 0.9 })).toBe(true);
  });

  it('is true when the threshold can no longer be missed', () => {
    expect(stops({ passed: 7 })).toBe(false);
    expect(stops({ passed: 8 })).toBe(true);
    expect(stops({ passed: 8, minPassRate: 0.9 })).toBe(false);
    expect(stops({ passed: 9, minPassRate: 0.9 })).toBe(true);
  });

  it('is false when a required assertion could still fail in a later trial', () => {
    expect(stops({ passed: 8, hasRequired: true })).toBe(false);
    expect(stops({ failed: 3, hasRequired: true })).toBe(false);
  });

  it('is false once all trials ran', () => {
    expect(stops({ failed: 10 })).toBe(false);
  });

  it('is never true while later trials could change the exit code', () => {
    const score = fc.oneof(fc.constantFrom(0, 0.5, 0.7, 0.8, 0.9, 1), fc.double({ min: 0, max: 1, noNaN: true }));
    const scoredTrial = fc.record({ score, required: fc.boolean() });
    const trial = fc.oneof({ weight: 9, arbitrary: scoredTrial }, { weight: 1, arbitrary: fc.constant(null) });
    fc.assert(
      fc.property(
        fc.record({
          trials: fc.array(trial, { minLength: 1, maxLength: 12 }),
          threshold: fc.constantFrom(0, 0.3, 0.5, 0.8, 0.9, 1),
          minPassRate: fc.constantFrom(null, 0.2, 0.5, 0.9, 1),
          hasRequired: fc.boolean(),
          allowUnscored: fc.boolean(),
        }),
        ({ trials, threshold, minPassRate, hasRequired, allowUnscored }) => {
          const policy = { allowUnscored, minPassRate, recordOnly: false };
          const planned = trials.length;
          const tally = createScenarioTally({ ...NAMES, threshold, trialsPlanned: planned });
          let settledExitCode: number | null = null;
          for (const [index, drawn] of trials.entries()) {
            // The rule assumes that later trials can be scored.
            fc.pre(settledExitCode === null || drawn !== null);
            tally.add(toTrial(drawn, { number: index + 1, threshold, hasRequired }));
            const demands = { planned, threshold, minPassRate, hasRequired, allowUnscored };
            const stopsNow = isCertain(tally.counts(), demands);
            if (settledExitCode === null && stopsNow) {
              settledExitCode = exitCode(tally.summary({ ...policy, stopped: 'early_stop' }).verdict);
            }
          }
          fc.pre(settledExitCode !== null);
          expect(exitCode(tally.summary({ ...policy, stopped: null }).verdict)).toBe(settledExitCode);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

const NAMES = { name: 'sample', file: 'sample.yaml', model: 'm', adapter: 'a' };

function exitCode(verdict: Parameters<typeof runVerdict>[0][number]): number {
  return runVerdict([verdict]).exit_code;
}

function toTrial(
  drawn: { score: number; required: boolean } | null,
  { number, threshold, hasRequired }: { number: number; threshold: number; hasRequired: boolean },
): TrialResult {
  if (drawn === null) return sampleTrial({ trial_number: number, status: 'unscored' });
  const hard = hasRequired && drawn.required && drawn.score < 0.5;
  const status = hard ? 'hard_fail' : drawn.score >= threshold ? 'passed' : 'failed';
  return sampleTrial({ trial_number: number, status, score: drawn.score });
}
