import { describe, expect, test } from 'vitest';
import { measured, measuredRows, results } from '../../../../../../test/sample-against.ts';
import type { Baseline } from '../baseline.ts';
import { compareUntilDecided } from './until-decided.ts';

const RULES = { planned: 16, gate: 'either', maxDrop: null } as const;
const one = (trials: string) => results(measured(trials));
const table = (rows: number, trials: (row: number) => string) =>
  results(measuredRows(Object.fromEntries(Array.from({ length: rows }, (_, row) => [`r${row}`, trials(row)]))));
const decide = (base: Baseline, next: Baseline, rules: Partial<Parameters<typeof compareUntilDecided>[2]> = {}) =>
  compareUntilDecided(base, next, { ...RULES, ...rules });

describe('a comparison that goes on until it is decided', () => {
  test('calls a total failure worse as soon as it can, whatever comes later', () => {
    const { comparison, until } = decide(one('1'.repeat(20)), one(`${'0'.repeat(8)}${'1'.repeat(8)}`));
    expect(until).toMatchObject({ decided: 'worse', next_look: null });
    expect(until.trials).toBeLessThanOrEqual(8);
    expect(comparison.scenarios[0]).toMatchObject({ conclusion: 'worse' });
    expect(comparison.scenarios[0]?.p).toBeLessThan(0.05);
    expect(comparison.scenarios[0]?.difference?.interval?.[1]).toBeLessThan(0);
  });

  test('says when it is looked at next, as long as nothing is decided', () => {
    const { comparison, until, nextTrials } = decide(one('1101101111'), one('11011'));
    expect(until).toMatchObject({ decided: null, next_look: { trials: 8, cases: null } });
    expect(nextTrials).toBe(8);
    expect(['no_evidence', 'too_few_trials']).toContain(comparison.conclusion);
  });

  test('does not look beyond a trial that is missing', () => {
    const whole = decide(one('1'.repeat(20)), one('0'.repeat(16)));
    const gap = decide(one('1'.repeat(20)), one(`0.${'0'.repeat(14)}`));
    expect(whole.until.decided).toBe('worse');
    expect(gap.until.decided).toBeNull();
  });

  test('decides many cases before all of them have a trial', () => {
    const { until } = decide(
      table(80, () => '111'),
      table(80, (row) => (row < 80 ? '0' : '')),
    );
    expect(until.decided).toBe('worse');
    expect(until.trials).toBeLessThan(80);
  });

  test('rules out a drop, and a smaller margin needs more', () => {
    const [base, next] = [table(150, () => '111'), table(150, () => '11')];
    expect(decide(base, next).until.decided).toBe('not_worse');
    expect(decide(base, next, { maxDrop: 0.01 }).until.decided).toBeNull();
  });

  test('does not take copies of one answer for many trials', () => {
    const copies = (trials: string) =>
      results(measured('', { cases: [{ case: null, row: null, trials, identical: true }] }));
    expect(decide(copies('1'.repeat(20)), copies('0'.repeat(16))).until.decided).toBeNull();
  });

  test('nothing is decided without trials, or without a baseline of the scenario', () => {
    expect(decide(one('111'), one('')).until).toMatchObject({ decided: null, looks: [], trials: 0 });
    expect(decide(results(), one('000')).until).toMatchObject({ decided: null, looks: [], fixed_trials: null });
  });
});

describe('the gate', () => {
  const two = (first: string, second: string) =>
    results(measured(first, { name: 'a', file: 'a.yaml' }), measured(second, { name: 'b', file: 'b.yaml' }));
  const base = two('1'.repeat(30), '0'.repeat(30));
  const next = two('0'.repeat(16), '1'.repeat(16));

  test('overall: one that fell and one that rose as much are no change', () => {
    expect(decide(base, next, { gate: 'overall' }).until.decided).toBeNull();
  });

  test.each(['each', 'either'] as const)('%s: one that fell is worse', (gate) => {
    expect(decide(base, next, { gate }).until.decided).toBe('worse');
  });

  test('each: a scenario that is answered needs no more trials', () => {
    const before = two('1'.repeat(60), '1'.repeat(60));
    const { until, comparison } = decide(before, two('1'.repeat(64), '1'.repeat(64)), { gate: 'each', planned: 64 });
    expect(until.decided).toBe('not_worse');
    expect(comparison.scenarios).toHaveLength(2);
  });
});
