import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verdictSchema } from './run-document.ts';
import { runVerdict, type ScenarioOutcome, scenarioVerdict, type VerdictPolicy } from './verdict.ts';

interface Case extends Partial<VerdictPolicy>, Partial<Omit<ScenarioOutcome, 'counts'>> {
  passed?: number;
  failed?: number;
  hardFailed?: number;
  unscored?: number;
}

function verdictOf({ passed = 0, failed = 0, hardFailed = 0, unscored = 0, ...rest }: Case) {
  const scored = passed + failed + hardFailed;
  const total = scored + unscored;
  const outcome = {
    counts: { total, scored, passed, failed, hardFailed, unscored },
    planned: total,
    recorded: total,
    scoreAvg: scored === 0 ? null : passed / scored,
    threshold: 0.8,
    stopped: null,
    ...rest,
  };
  return scenarioVerdict(outcome, { allowUnscored: false, minPassRate: null, recordOnly: false, ...rest });
}

describe('scenarioVerdict', () => {
  it('is PASS when the mean reaches the threshold', () => {
    expect(verdictOf({ passed: 4, failed: 1 })).toBe('PASS');
    expect(verdictOf({ passed: 1, scoreAvg: 0.1 + 0.7 })).toBe('PASS');
  });

  it('is PARTIAL below it when any trial passed, else FAIL', () => {
    expect(verdictOf({ passed: 3, failed: 2 })).toBe('PARTIAL');
    expect(verdictOf({ failed: 5 })).toBe('FAIL');
    expect(verdictOf({ failed: 5, scoreAvg: 0.7999 })).toBe('FAIL');
  });

  it('is HARD_FAIL when a single trial failed hard, at any mean', () => {
    expect(verdictOf({ passed: 99, hardFailed: 1 })).toBe('HARD_FAIL');
    expect(verdictOf({ hardFailed: 1, scoreAvg: null })).toBe('HARD_FAIL');
  });

  it('is UNSCORED when a single trial could not be scored', () => {
    expect(verdictOf({ passed: 99, unscored: 1 })).toBe('UNSCORED');
    expect(verdictOf({ hardFailed: 1, unscored: 1 })).toBe('UNSCORED');
  });

  it('looks past unscored trials only when allowed, and never when there are no others', () => {
    expect(verdictOf({ passed: 9, unscored: 1, allowUnscored: true })).toBe('PASS');
    expect(verdictOf({ hardFailed: 1, unscored: 1, allowUnscored: true })).toBe('HARD_FAIL');
    expect(verdictOf({ unscored: 3, allowUnscored: true })).toBe('UNSCORED');
    expect(verdictOf({ allowUnscored: true })).toBe('UNSCORED');
  });

  it('counts trials that never ran as unscored, unless they could not have mattered', () => {
    expect(verdictOf({ passed: 3, planned: 5, stopped: 'budget' })).toBe('UNSCORED');
    expect(verdictOf({ passed: 3, planned: 5, stopped: 'interrupted' })).toBe('UNSCORED');
    expect(verdictOf({ passed: 3, planned: 5 })).toBe('UNSCORED');
    expect(verdictOf({ passed: 3, planned: 5, stopped: 'budget', allowUnscored: true })).toBe('PASS');
    expect(verdictOf({ passed: 3, planned: 5, stopped: 'early_stop' })).toBe('PASS');
    expect(verdictOf({ planned: 5, stopped: 'early_stop' })).toBe('UNSCORED');
  });

  it('demands the minimum pass rate if there is one', () => {
    expect(verdictOf({ passed: 4, failed: 1, scoreAvg: 0.95, minPassRate: 0.9 })).toBe('PARTIAL');
    expect(verdictOf({ passed: 9, failed: 1, scoreAvg: 0.95, minPassRate: 0.9 })).toBe('PASS');
    expect(verdictOf({ failed: 1, threshold: 0, scoreAvg: 0.5, minPassRate: 0.1 })).toBe('FAIL');
    expect(verdictOf({ passed: 9, failed: 1, scoreAvg: 0.5, minPassRate: 0.1 })).toBe('PARTIAL');
  });

  it('is RECORDED when nothing was to be checked, unless nothing came of it', () => {
    expect(verdictOf({ unscored: 3, recordOnly: true })).toBe('RECORDED');
    expect(verdictOf({ unscored: 3, recorded: 1, recordOnly: true })).toBe('RECORDED');
    expect(verdictOf({ unscored: 3, recorded: 0, recordOnly: true })).toBe('UNSCORED');
    expect(verdictOf({ recordOnly: true })).toBe('UNSCORED');
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

  it('never gets better by adding a scenario, in any order', () => {
    const verdict = fc.constantFrom(...verdictSchema.options);
    fc.assert(
      fc.property(fc.array(verdict, { minLength: 1 }), verdict, (verdicts, another) => {
        const before = runVerdict(verdicts).exit_code;
        expect(runVerdict([...verdicts, another]).exit_code).toBeGreaterThanOrEqual(before);
        expect(runVerdict(verdicts.toReversed())).toEqual(runVerdict(verdicts));
      }),
    );
  });
});
