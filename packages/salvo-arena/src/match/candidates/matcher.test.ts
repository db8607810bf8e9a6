import { describe, expect, it } from 'vitest';
import { explainPair } from './matcher.ts';

const category = { name: 'category', points: 0.3, most: 0.3, reason: 'both are about encryption' };
const severity = { name: 'severity', points: 0, most: 0.2, reason: 'the finding states none' };
const location = { name: 'location', points: -0.25, most: 0, reason: 'another file' };

describe('explainPair', () => {
  it('says how much each factor gave and why, and which gave nothing', () => {
    expect(explainPair(0.3, [severity, category])).toBe(
      '0.30: category 0.30 (both are about encryption); no points for severity (the finding states none)',
    );
  });

  it('says what a factor subtracted', () => {
    expect(explainPair(0.05, [category, location])).toBe(
      '0.05: category 0.30 (both are about encryption), location -0.25 (another file)',
    );
  });

  it('calls only a score of 1 1.00', () => {
    expect(explainPair(0.996, [])).toBe('0.99');
  });

  it('is the score alone without factors', () => {
    expect(explainPair(0, [])).toBe('0.00');
  });
});
