import { describe, expect, it } from 'vitest';
import type { ComparedRun } from './comparable-trials.ts';
import { compareGroups } from './compare-together.ts';

/** Trials by their outcomes: 1 passed, 0 failed, - could not be scored. */
const runOf = (outcomes: string, seed: number | null = null): ComparedRun => ({
  trials: [...outcomes].map((outcome, index) => {
    const passed = outcome === '-' ? null : outcome === '1';
    return { case: null, trial: index + 1, passed, score: null };
  }),
  seed,
});
const pairOf = (base: string, next: string, seed: number | null = null) => ({
  base: runOf(base, seed),
  next: runOf(next, seed),
});
const compare = (...pairs: ReturnType<typeof pairOf>[]) => {
  const [found] = compareGroups([pairs]);
  if (!found) throw new Error('One group gives one result.');
  return found;
};
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

const UNCHANGED = pairOf('1'.repeat(20), '1'.repeat(20));
const FELL = '1'.repeat(14) + '0'.repeat(6);
const DROPPED = pairOf('1'.repeat(20), FELL);
const RISEN = pairOf(FELL, '1'.repeat(20));

describe('several scenarios', () => {
  it('are corrected by Holm: what is significant alone may be chance among many', () => {
    expect(compare(DROPPED).scenarios[0]).toMatchObject({ conclusion: 'worse', p: expect.closeTo(0.0202, 4) });
    const { scenarios, together } = compare(DROPPED, RISEN, UNCHANGED);
    expect(together).toMatchObject({ conclusion: 'no_evidence', p_holm: 1 });
    expect(scenarios.map(({ conclusion }) => conclusion)).not.toContain('worse');
    // For three scenarios, and half of the error rate is for all together.
    expect(scenarios[0]?.p_holm).toBeCloseTo(6 * 0.0202, 3);
  });

  it('have the whole error rate if all together are different', () => {
    const { scenarios, together } = compare(DROPPED, DROPPED);
    expect(together).toMatchObject({ conclusion: 'worse' });
    expect(scenarios.map(({ p_holm }) => p_holm)).toEqual([
      expect.closeTo(2 * 0.0202, 3),
      expect.closeTo(2 * 0.0202, 3),
    ]);
  });

  it('count only those that can be compared', () => {
    const found = compare(pairOf('---', '111'), DROPPED);
    expect(found.scenarios.map(({ conclusion }) => conclusion)).toEqual(['not_comparable', 'worse']);
    expect(found.together).toBeNull();
  });

  it('count only those that some outcome could decide', () => {
    const found = compare(DROPPED, ...times(10, pairOf('111', '111')));
    expect(found.among).toBe(2);
    expect(found.scenarios[0]).toMatchObject({ conclusion: 'worse', p_holm: expect.closeTo(2 * 0.0202, 3) });
    expect(found.scenarios[1]).toMatchObject({ conclusion: 'too_few_trials', p_holm: 1 });
  });
});

describe('all scenarios together', () => {
  it('show a drop that none of them shows alone', () => {
    const found = compare(...times(12, pairOf('111', '110')));
    expect(found.scenarios.every(({ conclusion }) => conclusion === 'too_few_trials')).toBe(true);
    // The scenarios have no use for a half of the error rate.
    expect(found.together?.p_holm).toBe(found.together?.p);
    expect(found.together).toMatchObject({
      ...{ conclusion: 'worse', scenarios: 12, base_pass_rate: 1 },
      next_pass_rate: expect.closeTo(2 / 3, 12),
      difference: { value: expect.closeTo(-1 / 3, 12), interval: [expect.any(Number), expect.any(Number)] },
    });
    expect(found.together?.difference.interval?.[1]).toBeLessThan(0);
  });

  it('weigh each scenario the same, however many trials it has', () => {
    const found = compare(pairOf('1'.repeat(100), '1'.repeat(100)), pairOf('1111', '0000'));
    expect(found.together?.difference.value).toBe(-0.5);
  });

  it('join pairs of trials with the same seed, cases, and single trials', () => {
    const seeded = times(6, pairOf('1111', '0111', 7));
    const { together } = compare(...seeded, ...times(6, pairOf('1111', '0111')));
    expect(together).toMatchObject({ conclusion: 'worse', difference: { value: -0.25 } });
    // With one trial each, scenarios are the clusters of the interval.
    const single = compare(...times(9, pairOf('1', '0', 7)), ...times(9, pairOf('1', '1', 7)));
    expect(single.together).toMatchObject({ conclusion: 'worse', difference: { value: -0.5 } });
    expect(single.together?.p).toBeCloseTo(2 ** -8, 2);
    expect(single.together?.difference.interval?.[1]).toBeLessThan(0);
  });

  it('are no evidence if what some lose others win', () => {
    const { together } = compare(...times(6, pairOf('1111', '0000')), ...times(6, pairOf('0000', '1111')));
    expect(together).toMatchObject({ conclusion: 'no_evidence', difference: { value: 0 }, p_holm: 1 });
  });

  it('are too few with two trials each of two scenarios', () => {
    expect(compare(pairOf('11', '00'), pairOf('11', '00')).together?.conclusion).toBe('too_few_trials');
  });
});
