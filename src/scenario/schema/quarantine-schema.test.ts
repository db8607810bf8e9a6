import { expect, test } from 'vitest';
import { isInQuarantine, readQuarantine } from './quarantine-schema.ts';

test('a quarantine holds until its last day is over in UTC', () => {
  const quarantine = { until: '2026-12-31', reason: 'x' };
  expect(isInQuarantine(quarantine, '2026-12-31T23:59:59.999Z')).toBe(true);
  expect(isInQuarantine(quarantine, '2027-01-01T00:00:00.000Z')).toBe(false);
  expect(isInQuarantine(quarantine, '2027-01-01T05:00:00+09:00')).toBe(true);
});

test.each([
  ['2026-12-31 waits for issue 7', { until: '2026-12-31', reason: 'waits for issue 7' }],
  ['2026-12-31: waits', { until: '2026-12-31', reason: 'waits' }],
  [' 2026-12-31   waits ', { until: '2026-12-31', reason: 'waits' }],
  [
    { until: '2028-02-29', reason: 'x' },
    { until: '2028-02-29', reason: 'x' },
  ],
  ['2026-12-31', null],
  ['2026-12-31waits', null],
  ['2026-02-29 no leap year', null],
  ['soon, hopefully', null],
  [{ until: '2026-12-31', reason: ' ' }, null],
  [true, null],
  [20261231, null],
])('the quarantine of a row that is %j', (given, expected) => {
  expect(readQuarantine(given)).toEqual(expected);
});
