import { describe, expect, it } from 'vitest';
import { readSeverity } from './severity.ts';

describe('a severity', () => {
  it.each([
    ['HIGH', 'high'],
    [' Critical ', 'critical'],
    ['High (CVSS 7.5)', 'high'],
    ['CRITICAL - data loss', 'critical'],
    ['Medium/High', 'medium'],
    ['high severity', 'high'],
    ['ERROR', 'high'],
    [['low', 'high'], 'low'],
  ])('is read from %j', (value, severity) => {
    expect(readSeverity(value)).toBe(severity);
  });

  it.each(['information disclosure', 'error-handling', 'highest', 'UNKNOWN', '', 7, null, [], [['high']], {}])(
    'is none in %j',
    (value) => {
      expect(readSeverity(value)).toBeNull();
    },
  );

  it('is read quickly from a hostile text', () => {
    expect(readSeverity(`high${' '.repeat(1_000_000)}x`)).toBeNull();
  });
});
