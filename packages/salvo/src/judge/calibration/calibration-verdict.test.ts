import { describe, expect, it } from 'vitest';
import { calibrationVerdict, isBetterThanChance } from './calibration-verdict.ts';

const good = { n: 60, human_passed: 30, kappa: 0.8, kappa_ci: [0.62, 0.94] as [number, number] };

describe('calibrationVerdict', () => {
  it('is usable with a kappa of 0.6 that is surely above 0.2, on 20 items of both kinds', () => {
    expect(calibrationVerdict(good)).toEqual({
      verdict: 'usable',
      reason: 'kappa 0.80 (95% interval 0.62 to 0.94) on 60 items',
    });
    expect(calibrationVerdict({ n: 20, human_passed: 1, kappa: 0.6, kappa_ci: [0.21, 0.9] }).verdict).toBe('usable');
  });

  it('is no better than chance when the interval is narrow around 0, or below', () => {
    expect(calibrationVerdict({ ...good, kappa: 0.1, kappa_ci: [-0.1, 0.3] })).toEqual({
      verdict: 'no better than chance',
      reason: 'kappa 0.10 (95% interval -0.10 to 0.30) on 60 items',
    });
    expect(calibrationVerdict({ ...good, kappa: -0.5, kappa_ci: [-0.7, -0.2] }).verdict).toBe('no better than chance');
  });

  it('is weak when it is better than chance, but agreement is only fair', () => {
    expect(calibrationVerdict({ ...good, kappa: 0.59 })).toEqual({
      verdict: 'weak',
      reason: 'kappa 0.59 (95% interval 0.62 to 0.94) is below 0.60',
    });
  });

  it.each([
    [
      'chance could explain it, and so could a good judge',
      { ...good, kappa: 0.3, kappa_ci: [0, 0.6] as [number, number] },
      "60 items can't tell it from chance",
    ],
    ['the interval reaches too low', { ...good, kappa_ci: [0.2, 0.95] as [number, number] }, 'as low as 0.20'],
    ['there are too few items', { ...good, n: 19, human_passed: 9 }, '19 items are too few: at least 20 are needed'],
    ['people passed everything', { ...good, human_passed: 60 }, 'whether it would recognise a failure'],
    ['people failed everything', { ...good, human_passed: 0 }, 'whether it would recognise a pass'],
    ['there is one label', { n: 1, human_passed: 0, kappa: null, kappa_ci: null }, 'people failed the only item'],
    [
      'there is nothing to compare',
      { n: 0, human_passed: 0, kappa: null, kappa_ci: null },
      'nothing could be compared',
    ],
    ['kappa has no interval', { n: 2, human_passed: 1, kappa: 1, kappa_ci: null }, "can't tell it from chance"],
  ])('has too few labels when %s', (_, evidence, reason) => {
    const verdict = calibrationVerdict(evidence);
    expect(verdict.verdict).toBe('too few labels');
    expect(verdict.reason).toContain(reason);
  });
});

describe('isBetterThanChance', () => {
  it('needs an interval above 0, on 20 labels of both kinds', () => {
    expect(isBetterThanChance(good)).toBe(true);
    expect(isBetterThanChance({ ...good, kappa_ci: [0, 0.9] })).toBe(false);
    expect(isBetterThanChance({ ...good, n: 19 })).toBe(false);
    expect(isBetterThanChance({ ...good, human_passed: 60 })).toBe(false);
    expect(isBetterThanChance({ ...good, kappa_ci: null })).toBe(false);
  });
});
