import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleTrial } from '../../test/sample-trial.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { isSettled, type Prospects } from './early-stop.ts';
import { createScenarioTally } from './tally/scenario-tally.ts';
import { runVerdict } from './verdict.ts';

function settled(changes: Partial<Prospects>): string | null {
  const { passed = 0, failed = 0, hardFailed = 0, unscored = 0 } = changes;
  const scored = passed + failed + hardFailed;
  return isSettled({
    total: scored + unscored,
    scored,
    passed,
    failed,
    hardFailed,
    unscored,
    scoreSum: passed,
    planned: 10,
    threshold: 0.8,
    minPassRate: null,
    hasRequired: false,
    allowUnscored: false,
    ...changes,
  });
}

describe('isSettled', () => {
  it('is open before anything ran', () => {
    expect(settled({})).toBeNull();
    expect(settled({ threshold: 0 })).toBeNull();
  });

  it('settles when a required assertion failed', () => {
    expect(settled({ passed: 1, hardFailed: 1, hasRequired: true })).toBe('a required assertion failed');
  });

  it('settles when a trial could not be scored, unless that is allowed', () => {
    expect(settled({ unscored: 1 })).toBe('a trial could not be scored');
    expect(settled({ unscored: 1, allowUnscored: true })).toBeNull();
  });

  it('settles when the threshold is out of reach', () => {
    expect(settled({ failed: 2 })).toBeNull();
    expect(settled({ failed: 3 })).toBe('the mean score cannot reach 0.8 any more');
  });

  it('settles when the pass rate is out of reach', () => {
    expect(settled({ passed: 4, failed: 1, scoreSum: 4.9, minPassRate: 0.9 })).toBeNull();
    expect(settled({ passed: 3, failed: 2, scoreSum: 4.9, minPassRate: 0.9 })).toBe(
      'the pass rate cannot reach 0.9 any more',
    );
  });

  it('settles when the threshold can no longer be missed', () => {
    expect(settled({ passed: 7 })).toBeNull();
    expect(settled({ passed: 8 })).toBe('the mean score cannot fall below 0.8 any more');
    expect(settled({ passed: 8, minPassRate: 0.9 })).toBeNull();
    expect(settled({ passed: 9, minPassRate: 0.9 })).not.toBeNull();
  });

  it('stays open for a later hard fail when a required assertion exists', () => {
    expect(settled({ passed: 8, hasRequired: true })).toBeNull();
    expect(settled({ failed: 3, hasRequired: true })).toBeNull();
  });

  it('has nothing to stop once all trials ran', () => {
    expect(settled({ failed: 10 })).toBeNull();
  });

  it('never settles on an exit code that the trials still to come would change', () => {
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
            // Only trials that are scored are promised anything about; a provider may go down at any time.
            if (settledExitCode !== null && drawn === null) return;
            tally.add(toTrial(drawn, { number: index + 1, threshold, hasRequired }));
            const reason = isSettled({
              ...tally.counts(),
              planned,
              threshold,
              minPassRate,
              hasRequired,
              allowUnscored,
            });
            if (settledExitCode === null && reason !== null) {
              settledExitCode = exitCode(tally.summary({ ...policy, stopped: 'early_stop' }).verdict);
            }
          }
          if (settledExitCode === null) return;
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
