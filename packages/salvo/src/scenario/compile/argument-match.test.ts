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

describe('matchers in arguments', () => {
  it.each<[string, unknown, Record<string, unknown>, boolean]>([
    ['a text that fits a pattern', 'A-17', { $regex: '^A-\\d+$' }, true],
    ['a text that does not', 'B-17', { $regex: '^A-\\d+$' }, false],
    ['a number where a pattern wants a text', 17, { $regex: '17' }, false],
    ['a number within the tolerance', 99.995, { $near: 100, $tolerance: 0.01 }, true],
    ['a number on its edge, which decimals blur', 1.1, { $near: 1, $tolerance: 0.1 }, true],
    ['a number beyond it', 99.9, { $near: 100, $tolerance: 0.01 }, false],
    ['a text where a number is wanted', '100', { $near: 100, $tolerance: 1 }, false],
    ['a missing number', null, { $near: 0, $tolerance: 1 }, false],
    ['one of several values', 'card', { $any_of: ['cash', 'card'] }, true],
    ['none of them', 'gift', { $any_of: ['cash', 'card'] }, false],
    ['one of several maps', { id: 2, more: 1 }, { $any_of: [{ id: 1 }, { id: { $near: 2, $tolerance: 0 } }] }, true],
    ['data whose keys begin with $', { $gt: 5 }, { $equals: { $gt: 5 } }, true],
    ['data that has more than is equal', { $gt: 5, $lt: 9 }, { $equals: { $gt: 5 } }, false],
  ])('%s', (_, value, matcher, expected) => {
    expect(matchesArguments({ value }, { value: matcher })).toBe(expected);
    expect(matchesArguments({ list: [{ value }] }, { list: [{ value: matcher }] })).toBe(expected);
  });

  it('are not met by an argument that is missing', () => {
    expect(matchesArguments({}, { value: { $equals: null } })).toBe(false);
    expect(matchesArguments({}, { value: { $any_of: [null] } })).toBe(false);
  });

  it('can stand for all arguments', () => {
    expect(matchesArguments({ id: 2 }, { $any_of: [{ id: 1 }, { id: 2 }] })).toBe(true);
    expect(matchesArguments({ id: 3 }, { $any_of: [{ id: 1 }, { id: 2 }] })).toBe(false);
  });

  it.each([
    [{ $regx: 'a' }, 'there is no matcher "$regx"'],
    [{ $regex: 'a', id: 1 }, '"id" cannot be used beside "$regex"'],
    [{ $regex: 7 }, '"$regex" should be a text'],
    [{ $near: 1 }, 'needs "$tolerance"'],
    [{ $tolerance: 1 }, 'belongs to "$near"'],
    [{ $near: 1, $tolerance: -1 }, 'cannot be negative'],
    [{ $any_of: [] }, 'at least one value'],
    [{ $regex: '(' }, 'cannot be compiled'],
  ])('that are wrong throw, so that the mistake is noticed: %j', (matcher, message) => {
    expect(() => matchesArguments({ value: 'a' }, { value: matcher })).toThrow(message);
  });

  it('are not looked for in what the agent sent', () => {
    expect(matchesArguments({ value: { $regex: '.*' } }, { value: 'a' })).toBe(false);
  });
});
