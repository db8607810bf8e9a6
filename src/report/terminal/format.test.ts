import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatAmount,
  formatCost,
  formatCosts,
  formatCount,
  formatInterval,
  formatLatency,
  formatMoney,
  formatNumbers,
  formatPercent,
  formatPlural,
  formatScore,
  formatSeconds,
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
  [59.99, '1m 00s'],
  [65, '1m 05s'],
  [3599.6, '1h 00m'],
  [7_380, '2h 03m'],
])('%s seconds are shown as %s', (seconds, shown) => {
  expect(formatSeconds(seconds)).toBe(shown);
});

test.each([
  [null, '—'],
  [0, '0%'],
  [0.0001, '<0.1%'],
  [0.004, '0.4%'],
  [2 / 3, '67%'],
  [0.996, '99.6%'],
  [0.9999, '>99.9%'],
  [1, '100%'],
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
