import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { decimalNumber, repeated, share, wholeNumber } from './option-values.ts';

describe('the values of options', () => {
  it('are whole numbers within their range', () => {
    expect(wholeNumber(1, 10)('7')).toBe(7);
    expect(wholeNumber(Number.MIN_SAFE_INTEGER)('-3')).toBe(-3);
    for (const text of ['0', '11', '1.5', '1e3', '', 'seven', ' 7', '0x1', 'Infinity']) {
      expect(() => wholeNumber(1, 10)(text)).toThrow(InvalidArgumentError);
    }
  });

  it('are decimal numbers within their range', () => {
    expect(decimalNumber(0)('.5')).toBe(0.5);
    for (const text of ['-1', '1e9', 'NaN', '', '1.', 'free']) {
      expect(() => decimalNumber(0)(text)).toThrow(InvalidArgumentError);
    }
  });

  it('are shares, as a number or as a percentage', () => {
    expect(share('0.9')).toBe(0.9);
    expect(share('90%')).toBe(0.9);
    for (const text of ['90', '101%', '%', '-5%']) expect(() => share(text)).toThrow(InvalidArgumentError);
  });

  it('can be given several times', () => {
    expect(repeated('b', ['a'])).toEqual(['a', 'b']);
  });
});
