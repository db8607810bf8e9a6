import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdictSchema } from '../record/run-document.ts';
import { runVerdict, type ScenarioOutcome, scenarioVerdict, type VerdictPolicy } from './verdict.ts';

interface Case extends Partial<VerdictPolicy>, Partial<Omit<ScenarioOutcome, 'counts' | 'gates'>> {
  passed?: number;
  failed?: number;
  hardFailed?: number;
  crashed?: number;
  unscored?: number;
  minPassRate?: number;
  minScore?: number | null;
}

function decide({ passed = 0, failed = 0, hardFailed = 0, crashed = 0, unscored = 0, ...rest }: Case) {
  const { minPassRate = 1, minScore = null, ...changes } = rest;
  const scored = passed + failed + hardFailed + crashed;
  const total = scored + unscored;
  const outcome = {
    counts: { total, scored, passed, failed, hardFailed, crashed, unscored },
    planned: total,
    recorded: total,
    passRate: scored === 0 ? null : passed / scored,
    scoreAvg: scored === 0 ? null : passed / scored,
    gates: { min_pass_rate: minPassRate, min_score: minScore },
    stopped: null,
    ...changes,
  };
  return scenarioVerdict(outcome, { allowUnscored: false, recordOnly: false, ...changes });
}

const verdictOf = (trials: Case) => decide(trials).verdict;

describe('scenarioVerdict', () => {
  it('is PASS when all trials passed, and only then unless a smaller share is enough', () => {
    expect(decide({ passed: 10 })).toEqual({ verdict: 'PASS', decided_by: 'min_pass_rate' });
    expect(decide({ passed: 5, failed: 5 })).toEqual({ verdict: 'PARTIAL', decided_by: 'min_pass_rate' });
    expect(decide({ passed: 999, failed: 1 })).toEqual({ verdict: 'PARTIAL', decided_by: 'min_pass_rate' });
  });

  it('is PASS when the share of passed trials reaches min_pass_rate', () => {
    expect(verdictOf({ passed: 9, failed: 1, minPassRate: 0.9 })).toBe('PASS');
    expect(verdictOf({ passed: 89, failed: 11, minPassRate: 0.9 })).toBe('PARTIAL');
    expect(verdictOf({ passed: 7, failed: 3, minPassRate: 0.1 + 0.6 })).toBe('PASS');
  });

  it('is PARTIAL below it when any trial passed, else FAIL', () => {
    expect(verdictOf({ passed: 3, failed: 2 })).toBe('PARTIAL');
    expect(verdictOf({ failed: 5 })).toBe('FAIL');
    expect(verdictOf({ crashed: 5 })).toBe('FAIL');
  });

  it('does not depend on the mean score unless there is a min_score', () => {
    expect(verdictOf({ passed: 5, failed: 5, scoreAvg: 0.99 })).toBe('PARTIAL');
    expect(verdictOf({ passed: 5, scoreAvg: 0.01 })).toBe('PASS');
  });

  it('demands the min_score in addition', () => {
    expect(decide({ passed: 5, scoreAvg: 0.85, minScore: 0.9 })).toEqual({
      verdict: 'PARTIAL',
      decided_by: 'min_score',
    });
    expect(decide({ failed: 5, minPassRate: 0, scoreAvg: 0.5, minScore: 0.9 })).toEqual({
      verdict: 'FAIL',
      decided_by: 'min_score',
    });
    expect(verdictOf({ passed: 5, scoreAvg: 0.1 + 0.7, minScore: 0.8 })).toBe('PASS');
    expect(decide({ passed: 1, failed: 5, scoreAvg: 0.5, minScore: 0.9 }).decided_by).toBe('min_pass_rate');
  });

  it('counts a crash like a failure', () => {
    expect(decide({ passed: 9, crashed: 1 })).toEqual({ verdict: 'PARTIAL', decided_by: 'min_pass_rate' });
    expect(verdictOf({ passed: 9, crashed: 1, minPassRate: 0.9 })).toBe('PASS');
  });

  it('is HARD_FAIL when a single trial failed hard, whatever the minimums are', () => {
    expect(decide({ passed: 99, hardFailed: 1, minPassRate: 0 })).toEqual({
      verdict: 'HARD_FAIL',
      decided_by: 'required_assertion',
    });
    expect(verdictOf({ hardFailed: 1, scoreAvg: null, minScore: 0.5 })).toBe('HARD_FAIL');
  });

  it('is UNSCORED when a single trial could not be scored', () => {
    expect(decide({ passed: 99, unscored: 1 })).toEqual({ verdict: 'UNSCORED', decided_by: 'unscored_trials' });
    expect(verdictOf({ hardFailed: 1, unscored: 1 })).toBe('UNSCORED');
  });

  it('looks past unscored trials only when allowed, and never when there are no others', () => {
    expect(verdictOf({ passed: 9, unscored: 1, allowUnscored: true })).toBe('PASS');
    expect(verdictOf({ hardFailed: 1, unscored: 1, allowUnscored: true })).toBe('HARD_FAIL');
    expect(decide({ unscored: 3, allowUnscored: true })).toEqual({ verdict: 'UNSCORED', decided_by: 'nothing_scored' });
    expect(decide({ allowUnscored: true })).toEqual({ verdict: 'UNSCORED', decided_by: 'missing_trials' });
  });

  it('counts trials that never ran as unscored, unless they could not have mattered', () => {
    expect(decide({ passed: 3, planned: 5, stopped: 'budget' })).toEqual({
      verdict: 'UNSCORED',
      decided_by: 'missing_trials',
    });
    expect(verdictOf({ passed: 3, planned: 5, stopped: 'interrupted' })).toBe('UNSCORED');
    expect(verdictOf({ passed: 3, planned: 5 })).toBe('UNSCORED');
    expect(verdictOf({ passed: 3, planned: 5, stopped: 'budget', allowUnscored: true })).toBe('PASS');
    expect(verdictOf({ passed: 3, planned: 5, stopped: 'early_stop' })).toBe('PASS');
    expect(verdictOf({ planned: 5, stopped: 'early_stop' })).toBe('UNSCORED');
  });

  it('is RECORDED when nothing was to be checked, unless nothing came of it', () => {
    expect(decide({ unscored: 3, recordOnly: true })).toEqual({ verdict: 'RECORDED', decided_by: 'record_only' });
    expect(verdictOf({ unscored: 3, recorded: 1, recordOnly: true })).toBe('RECORDED');
    expect(decide({ unscored: 3, recorded: 0, recordOnly: true })).toEqual({
      verdict: 'UNSCORED',
      decided_by: 'nothing_recorded',
    });
    expect(verdictOf({ recordOnly: true })).toBe('UNSCORED');
  });

  it('is never PASS below min_pass_rate or min_score, and never fails at or above both', () => {
    fc.assert(
      fc.property(
        fc.record({
          passed: fc.nat(30),
          failed: fc.nat(30),
          crashed: fc.nat(3),
          minPassRate: fc.double({ min: 0, max: 1, noNaN: true }),
          minScore: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
          scoreAvg: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        (trials) => {
          const scored = trials.passed + trials.failed + trials.crashed;
          fc.pre(scored > 0);
          const meets = trials.passed / scored >= trials.minPassRate - 1e-9;
          const isHighEnough = trials.minScore === null || trials.scoreAvg >= trials.minScore - 1e-9;
          expect(verdictOf(trials) === 'PASS').toBe(meets && isHighEnough);
        },
      ),
    );
  });
});

describe('runVerdict', () => {
  it.each([
    [['PASS', 'PASS'], 'PASS', 0],
    [['PASS', 'PARTIAL'], 'PARTIAL', 1],
    [['PARTIAL', 'FAIL'], 'FAIL', 1],
    [['FAIL', 'HARD_FAIL', 'PASS'], 'HARD_FAIL', 2],
    [['HARD_FAIL', 'UNSCORED'], 'UNSCORED', 3],
    [['RECORDED', 'RECORDED'], 'RECORDED', 0],
    [['RECORDED', 'PASS'], 'PASS', 0],
    [['RECORDED', 'UNSCORED'], 'UNSCORED', 3],
  ] as const)('of %j is %s with exit code %i', (verdicts, verdict, exit_code) => {
    expect(runVerdict(verdicts)).toEqual({ verdict, exit_code });
  });

  it('of nothing is UNSCORED', () => {
    expect(runVerdict([])).toEqual({ verdict: 'UNSCORED', exit_code: 3 });
  });

  it('ignores what is skipped, unless everything is', () => {
    expect(runVerdict(['SKIPPED', 'PASS'])).toEqual({ verdict: 'PASS', exit_code: 0 });
    expect(runVerdict(['SKIPPED', 'FAIL'])).toEqual({ verdict: 'FAIL', exit_code: 1 });
    expect(runVerdict(['SKIPPED'])).toEqual({ verdict: 'UNSCORED', exit_code: 3 });
    expect(runVerdict(['QUARANTINED', 'PASS'])).toEqual({ verdict: 'PASS', exit_code: 0 });
    expect(runVerdict(['QUARANTINED', 'SKIPPED'])).toEqual({ verdict: 'UNSCORED', exit_code: 3 });
  });

  it('never gets better by adding a scenario, in any order', () => {
    const verdict = fc.constantFrom(...verdictSchema.exclude(['SKIPPED', 'QUARANTINED']).options);
    fc.assert(
      fc.property(fc.array(verdict, { minLength: 1 }), verdict, (verdicts, another) => {
        const before = runVerdict(verdicts).exit_code;
        expect(runVerdict([...verdicts, another]).exit_code).toBeGreaterThanOrEqual(before);
        expect(runVerdict(verdicts.toReversed())).toEqual(runVerdict(verdicts));
      }),
    );
  });
});
