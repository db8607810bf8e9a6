import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyCase } from '../../../../../test/sample-run.ts';
import { sampleTrial } from '../../../../../test/sample-trial.ts';
import { tried } from '../../../../../test/thorough.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { Verdict } from '../record/run-document.ts';
import { createScenarioTally } from '../tally/scenario-tally.ts';
import { isVerdictCertain } from './early-stop.ts';
import type { FurtherGate } from './gates.ts';
import { runVerdict, type TrialCounts } from './verdict.ts';

interface Demands {
  further?: FurtherGate[];
  planned: number;
  minPassRate: number;
  minScore: number | null;
  hasRequired: boolean;
  allowUnscored: boolean;
}

function isCertain(counts: TrialCounts, demands: Demands): boolean {
  const { planned, minPassRate, minScore, hasRequired, allowUnscored, further = [] } = demands;
  return isVerdictCertain(
    counts,
    {
      min_pass_rate: minPassRate,
      min_score: minScore,
      further,
      assertions: [{ required: false }, { required: hasRequired }],
    },
    { trials: planned, allow_unscored: allowUnscored },
  );
}

function stops(changes: Partial<TrialCounts & Demands>): boolean {
  const { passed = 0, failed = 0, hardFailed = 0, crashed = 0, unscored = 0, scoreSum = passed, ...demands } = changes;
  const scored = passed + failed + hardFailed + crashed;
  const counts = { total: scored + unscored, scored, passed, failed, hardFailed, crashed, unscored, scoreSum };
  const usual = { planned: 10, minPassRate: 0.8, minScore: null, hasRequired: false, allowUnscored: false };
  return isCertain(counts, { ...usual, ...demands });
}

describe('isVerdictCertain', () => {
  it('is false before anything ran', () => {
    expect(stops({})).toBe(false);
    expect(stops({ minPassRate: 0 })).toBe(false);
  });

  it('is true when a required assertion failed', () => {
    expect(stops({ passed: 1, hardFailed: 1, hasRequired: true })).toBe(true);
  });

  it('is true when a trial could not be scored, unless that is allowed', () => {
    expect(stops({ unscored: 1 })).toBe(true);
    expect(stops({ unscored: 1, allowUnscored: true })).toBe(false);
  });

  it('is true when the pass rate is out of reach', () => {
    expect(stops({ failed: 2 })).toBe(false);
    expect(stops({ failed: 3 })).toBe(true);
    expect(stops({ failed: 1, crashed: 2 })).toBe(true);
    expect(stops({ passed: 4, failed: 1, minPassRate: 1 })).toBe(true);
  });

  it('is never a pass with a gate whose value later trials can change, but may be a failure', () => {
    const further: FurtherGate[] = [{ gate: 'max_cost_usd', limit: 1 }];
    expect([stops({ passed: 8 }), stops({ passed: 8, further })]).toEqual([true, false]);
    expect(stops({ failed: 3, further })).toBe(true);
  });

  it('is true when the mean score is out of reach', () => {
    expect(stops({ passed: 4, scoreSum: 3.4, minScore: 0.9 })).toBe(false);
    expect(stops({ passed: 4, scoreSum: 2.9, minScore: 0.9 })).toBe(true);
  });

  it('is true when neither minimum can be missed any more', () => {
    expect(stops({ passed: 7 })).toBe(false);
    expect(stops({ passed: 8 })).toBe(true);
    expect(stops({ passed: 8, minScore: 0.9 })).toBe(false);
    expect(stops({ passed: 9, minScore: 0.9 })).toBe(true);
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

  it('stopping early gives the verdict and the exit code that all trials would have given', () => {
    const share = fc.oneof(fc.constantFrom(0, 0.2, 0.5, 0.7, 0.8, 0.9, 1), fc.double({ min: 0, max: 1, noNaN: true }));
    const scoredTrial = fc.record({ score: share, required: fc.boolean(), crashes: fc.nat(5).map((n) => n === 0) });
    const trial = fc.oneof({ weight: 9, arbitrary: scoredTrial }, { weight: 1, arbitrary: fc.constant(null) });
    let stopped = 0;
    fc.assert(
      fc.property(
        fc.record({
          trials: fc.array(trial, { minLength: 1, maxLength: 12 }),
          threshold: share,
          minPassRate: share,
          minScore: fc.option(share),
          hasRequired: fc.boolean(),
          allowUnscored: fc.boolean(),
          inFirstCase: fc.nat(12),
        }),
        ({ trials, threshold, inFirstCase, ...demands }) => {
          const planned = trials.length;
          const sizes = inFirstCase < planned ? [inFirstCase, planned - inFirstCase] : [planned];
          const gates = { min_pass_rate: demands.minPassRate, min_score: demands.minScore, further: [] };
          const tally = createScenarioTally({
            ...NAMES,
            gates,
            threshold,
            cases: sizes.map((size, index) => ({ ...onlyCase(size), index, name: `case ${index}` })),
            startedAt: '2026-01-01T00:00:00Z',
          });
          const policy = { allowUnscored: demands.allowUnscored, recordOnly: false };
          let early: Verdict | null = null;
          for (const [index, drawn] of trials.entries()) {
            // The rule assumes that later trials can be scored.
            fc.pre(early === null || drawn !== null);
            const trial = toTrial(drawn, { number: index + 1, threshold, hasRequired: demands.hasRequired });
            tally.add({ ...trial, case_index: sizes.length > 1 && index >= inFirstCase ? 1 : 0 });
            if (early === null && isCertain(tally.counts(), { ...demands, planned })) {
              early = tally.summary({ ...policy, stopped: 'early_stop' }).verdict;
            }
          }
          fc.pre(early !== null);
          stopped += 1;
          const all = tally.summary({ ...policy, stopped: null }).verdict;
          expect(runVerdict([early ?? all]).exit_code).toBe(runVerdict([all]).exit_code);
          // FAIL says that no trial passed so far. A later one could have: then all trials together are PARTIAL.
          expect(early).toBe(early === 'FAIL' && all === 'PARTIAL' ? 'FAIL' : all);
        },
      ),
      { numRuns: tried(3000) },
    );
    expect(stopped).toBeGreaterThan(tried(3000) / 6);
  });
});

const NAMES = { name: 'sample', file: 'sample.yaml', model: 'm', adapter: 'a' };

function toTrial(
  drawn: { score: number; required: boolean; crashes: boolean } | null,
  { number, threshold, hasRequired }: { number: number; threshold: number; hasRequired: boolean },
): TrialResult {
  if (drawn === null) return sampleTrial({ trial_number: number, status: 'unscored' });
  if (drawn.crashes) return sampleTrial({ trial_number: number, status: 'crashed', score: 0 });
  const hard = hasRequired && drawn.required && drawn.score < 0.5;
  const status = hard ? 'hard_fail' : drawn.score >= threshold ? 'passed' : 'failed';
  return sampleTrial({ trial_number: number, status, score: drawn.score });
}
