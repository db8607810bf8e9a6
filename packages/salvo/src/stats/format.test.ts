import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatAmount,
  formatBytes,
  formatCost,
  formatCosts,
  formatCount,
  formatDifference,
  formatInterval,
  formatLatency,
  formatMoney,
  formatNumbers,
  formatP,
  formatPercent,
  formatPlural,
  formatPoints,
  formatPointsInterval,
  formatPointsSize,
  formatRatio,
  formatScore,
  formatSeconds,
  oneDigit,
  pEquation,
  relativeTime,
  signedTwoDigits,
  twoDigits,
  twoDigitsInterval,
} from './format.ts';

test.each([
  [null, 'unknown'],
  [Number.NaN, 'unknown'],
  [0, '$0.00'],
  [0.00001, '<$0.0001'],
  [0.0012, '$0.0012'],
  [0.09999, '$0.100'],
  [0.124, '$0.124'],
  [0.9999, '$1.00'],
  [1.239, '$1.24'],
  [999.999, '$1,000'],
  [1e9, '$1,000,000,000'],
  [-0.5, '-$0.500'],
])('money %s is shown as %s', (usd, shown) => {
  expect(formatMoney(usd)).toBe(shown);
});

test.each([
  [null, '—'],
  [0, '0ms'],
  [0.0001, '<1ms'],
  [0.85, '850ms'],
  [0.9999, '1.0s'],
  [2.34, '2.3s'],
  [59.94, '59.9s'],
  [59.96, '1m 00s'],
  [65, '1m 05s'],
  [119.7, '2m 00s'],
  [3599.6, '1h 00m'],
  [7_380, '2h 03m'],
  [1e9, '277,777h 46m'],
  [Number.NaN, '—'],
  [Number.POSITIVE_INFINITY, '—'],
])('%s seconds are shown as %s', (seconds, shown) => {
  expect(formatSeconds(seconds)).toBe(shown);
});

test.each([
  [null, '—'],
  [0, '0%'],
  [0.0004, '<0.1%'],
  [0.004, '0.4%'],
  [2 / 3, '67%'],
  [0.996, '99.6%'],
  [0.9996, '>99.9%'],
  [1, '100%'],
  [Number.NaN, '—'],
])('a rate of %s is shown as %s', (rate, shown) => {
  expect(formatPercent(rate)).toBe(shown);
});

test('only a full rate is 100% and only an empty one 0%', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (rate) => {
      expect(formatPercent(rate) === '100%').toBe(rate === 1);
      expect(formatPercent(rate) === '0%').toBe(rate === 0);
      expect(formatScore(rate) === '1.00').toBe(rate === 1);
      expect(formatScore(rate) === '0.00').toBe(rate === 0);
    }),
  );
});

test('an interval shares one percent sign', () => {
  expect(formatInterval([0.839, 1])).toBe('84–100%');
  expect(formatInterval([0.99981, 1])).toBe('99.98–100%');
  expect(formatInterval([0, 0.0019])).toBe('0–0.2%');
  expect(formatInterval([0.0001, 1])).toBe('0–100%');
  expect(formatInterval([1, 1])).toBe('100–100%');
  expect(formatInterval(null)).toBe('—');
});

test('counts have thousands separators', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
  expect(formatCount(999)).toBe('999');
  expect(formatPlural(1, 'trial')).toBe('1 trial');
  expect(formatPlural(1200, 'trial')).toBe('1,200 trials');
});

test('neighbouring trial numbers are joined', () => {
  expect(formatNumbers([])).toBe('');
  expect(formatNumbers([3, 1, 2, 7])).toBe('1-3, 7');
  expect(formatNumbers([1, 3, 5, 7, 9, 11, 13, 15, 17, 18], 4)).toBe('1, 3, 5, 7, 9, 11, 13, 15 and 6 more');
});

test.each([
  [{ usd: 0.0137 }, { usd: 0.0021 }, '$0.0137 + $0.0021 judges'],
  [{ usd: 0.0137 }, { usd: 0 }, '$0.0137'],
  [{ usd: null, at_least: { usd: 199.96, calls_unknown: 4 } }, { usd: 0 }, 'at least $199.96; 4 calls unknown'],
  [{ usd: null, at_least: { usd: 0, calls_unknown: 4 } }, { usd: 0 }, 'cost unknown'],
  [{ usd: null }, { usd: 0.0021 }, 'cost unknown + $0.0021 judges'],
  [{ usd: 2 }, { usd: null }, '$2.00 + judges unknown'],
  [
    { usd: 2 },
    { usd: null, at_least: { usd: 0.5, calls_unknown: 1 } },
    '$2.00 + judges at least $0.500; 1 call unknown',
  ],
])('agents that cost %j and judges that cost %j', (agent, judges, text) => {
  expect(formatCosts(agent, judges)).toBe(text);
});

test('a time that was not measured is unknown, and no trial has none', () => {
  expect(formatLatency(3, [0.5, 2])).toBe('500ms/2.0s');
  expect(formatLatency(3, [null, null])).toBe('unknown');
  expect(formatLatency(0, [null, null])).toBe('—');
});

test.each([
  [{ usd: 4 }, '$4.00', '$4.00'],
  [{ usd: null }, 'unknown', 'unknown'],
  [{ usd: null, at_least: { usd: 4, calls_unknown: 0 } }, 'at least $4.00', 'at least $4.00'],
  [{ usd: null, at_least: { usd: 4, calls_unknown: 1 } }, 'at least $4.00', 'at least $4.00; 1 call unknown'],
  [
    { usd: null, at_least: { usd: 4, calls_unknown: 0, killed: true } },
    'at least $4.00',
    'at least $4.00; a process was killed',
  ],
  [
    { usd: null, at_least: { usd: 4, calls_unknown: 1200, killed: true } },
    'at least $4.00',
    'at least $4.00; 1,200 calls unknown, a process was killed',
  ],
])('a cost of %j is %s in a table, and %s elsewhere', (cost, amount, text) => {
  expect(formatAmount(cost)).toBe(amount);
  expect(formatCost(cost)).toBe(text);
});

test.each([
  [null, '—'],
  [Number.NaN, '—'],
  [0, '0.00'],
  [0.0004, '0.01'],
  [0.5, '0.50'],
  [0.9996, '0.99'],
  [1, '1.00'],
])('a score of %s is shown as %s', (score, shown) => {
  expect(formatScore(score)).toBe(shown);
});

test.each([
  [null, '—', 'p = —'],
  [0, '<0.0001', 'p < 0.0001'],
  [0.00009, '<0.0001', 'p < 0.0001'],
  [0.0004, '0.0004', 'p = 0.0004'],
  [0.00096, '0.001', 'p = 0.001'],
  [0.031, '0.031', 'p = 0.031'],
  [0.0499, '0.050', 'p = 0.050'],
  [0.42, '0.42', 'p = 0.42'],
  [1, '1.00', 'p = 1.00'],
])('a p value of %s is %s in a column and "%s" in a sentence', (p, shown, equation) => {
  expect(formatP(p)).toBe(shown);
  expect(pEquation(p)).toBe(equation);
});

test.each([
  [null, '—', '—', '—'],
  [Number.NaN, '—', '—', '—'],
  [0, '0', '0 points', '0 points'],
  [0.1 + 0.2 - 0.3, '0', '0 points', '0 points'],
  [0.0002, '+0.1', '+0.1 points', '0.1 points'],
  [0.01, '+1', '+1 point', '1 point'],
  [0.035, '+3.5', '+3.5 points', '3.5 points'],
  [-0.0999, '-10', '-10 points', '10 points'],
  [-0.124, '-12', '-12 points', '12 points'],
  [-1, '-100', '-100 points', '100 points'],
])('a difference of %s is %s, %s, and its size %s', (difference, points, words, size) => {
  expect(formatPoints(difference)).toBe(points);
  expect(formatDifference(difference)).toBe(words);
  expect(formatPointsSize(difference)).toBe(size);
});

test('only no difference is 0, and the sign is never lost', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (difference) => {
      fc.pre(Math.abs(difference) > 1e-9);
      expect(formatPoints(difference)).toMatch(difference > 0 ? /^\+[1-9]|^\+0\.[1-9]/ : /^-[1-9]|^-0\.[1-9]/);
    }),
  );
});

test('an interval of differences has the sign of both ends', () => {
  expect(formatPointsInterval([-0.213, 0.03])).toBe('-21 to +3');
  expect(formatPointsInterval(null)).toBe('—');
});

test('a number of two decimals has no minus sign if it rounds to zero', () => {
  expect(twoDigits(-0.004)).toBe('0.00');
  expect(twoDigits(-0.4)).toBe('-0.40');
  expect(twoDigits(null)).toBe('—');
  expect(signedTwoDigits(0.4)).toBe('+0.40');
  expect(signedTwoDigits(0.004)).toBe('0.00');
  expect(twoDigitsInterval([-0.001, 0.52])).toBe('0.00 to 0.52');
  expect(twoDigitsInterval(null)).toBe('—');
});

test('a weight has one decimal, and separators if it is large', () => {
  expect(oneDigit(2)).toBe('2.0');
  expect(oneDigit(1234.6)).toBe('1,235');
  expect(oneDigit(null)).toBe('—');
});

test('a ratio has a decimal below ten', () => {
  expect(formatRatio(1.52)).toBe('1.5x');
  expect(formatRatio(9.97)).toBe('10x');
  expect(formatRatio(12_345)).toBe('12,345x');
});

test.each([
  [null, '—'],
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [999_600, '1.0 MB'],
  [9_960_000, '10 MB'],
  [44_000, '44 kB'],
  [1.5e15, '1,500 TB'],
])('%s bytes are shown as %s', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});

test('a count that is unknown is no number', () => {
  expect(formatCount(null)).toBe('—');
  expect(formatCount(Number.NaN)).toBe('—');
  expect(formatCount(-1234)).toBe('-1,234');
});

test('a time is told by its largest unit', () => {
  const now = Date.parse('2026-01-02T00:00:00Z');
  expect(relativeTime('2026-01-01T21:00:00Z', now)).toBe('3h ago');
  expect(relativeTime('2026-01-01T23:59:30Z', now)).toBe('just now');
  expect(relativeTime('2026-01-03T00:00:00Z', now)).toBe('just now');
  expect(relativeTime('no time', now)).toBe('—');
});
