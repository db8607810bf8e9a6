import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adapterErrorFromStatus } from './http-status.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const waitFor = (headers: Record<string, string>) =>
  adapterErrorFromStatus({ status: 429, message: 'x', headers, now: NOW }).retryAfterSeconds;

describe('when to try again', () => {
  it('is read from seconds, from a date and from milliseconds, which take precedence', () => {
    expect(waitFor({ 'Retry-After': '30' })).toBe(30);
    expect(waitFor({ 'retry-after': 'Fri, 02 Jan 2026 03:05:05 GMT' })).toBe(60);
    expect(waitFor({ 'retry-after': '2', 'Retry-After-Ms': '1250' })).toBe(1.25);
  });

  it('is at once when the date has passed', () => {
    expect(waitFor({ 'retry-after': 'Fri, 02 Jan 2026 03:00:00 GMT' })).toBe(0);
  });

  it.each(['', ' ', 'soon', '-5', '0x10', 'Infinity', 'NaN', '9'.repeat(400)])('is unknown from %j', (value) => {
    const wait = waitFor({ 'retry-after': value });
    // A minus sign and digits are a year to Date.parse; it must then be a date that has passed.
    expect(wait === undefined || wait === 0).toBe(true);
  });

  it('is never negative and always finite, whatever a server sends', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const wait = waitFor({ 'retry-after': value });
        expect(wait === undefined || (wait >= 0 && Number.isFinite(wait))).toBe(true);
      }),
    );
  });
});

describe('an HTTP status', () => {
  it('has a kind even when it is not a defined one', () => {
    const kindOf = (status: number) => adapterErrorFromStatus({ status, message: 'x' }).kind;
    expect([418, 402, 599, 302].map(kindOf)).toEqual(['bad_request', 'bad_request', 'server', 'bad_response']);
  });
});
