import { describe, expect, it } from 'vitest';
import { matchesArguments } from './argument-match.ts';

describe('matchesArguments', () => {
  it('with an object requires its entries', () => {
    expect(matchesArguments({ id: 'A1', limit: 5 }, { id: 'A1' })).toBe(true);
    expect(matchesArguments({ id: 'A2' }, { id: 'A1' })).toBe(false);
    expect(matchesArguments({ id: 'A2' }, {})).toBe(true);
  });

  it('with an expression requires it to be true for the arguments', () => {
    expect(matchesArguments({ amount: 50 }, 'amount > `10`')).toBe(true);
    expect(matchesArguments({ amount: 5 }, 'amount > `10`')).toBe(false);
    expect(matchesArguments({ amount: '50' }, 'amount > `10`')).toBe(false);
  });

  it.each([
    ['null', null, false],
    ['false', false, false],
    ['an empty text', '', false],
    ['an empty list', [], false],
    ['an empty object', {}, false],
    ['0', 0, true],
    ['a text', 'no', true],
    ['a list', [null], true],
  ])('treats %s as JMESPath does', (_, x, expected) => {
    expect(matchesArguments({ x }, 'x')).toBe(expected);
  });

  it('is false for arguments that the expression does not apply to', () => {
    expect(matchesArguments({}, 'length(items) > `2`')).toBe(false);
    expect(matchesArguments({ items: 7 }, 'length(items) > `2`')).toBe(false);
  });

  it('throws when an expression cannot apply to any arguments', () => {
    expect(() => matchesArguments({}, 'lenght(items)')).toThrow('lenght');
    expect(() => matchesArguments({}, 'length(items, items)')).toThrow(/arity/i);
    expect(() => matchesArguments({}, 'a.[')).toThrow('cannot be compiled');
  });

  it('finds no inherited names', () => {
    expect(matchesArguments({}, 'constructor')).toBe(false);
    expect(matchesArguments({}, '"__proto__"')).toBe(false);
  });
});
