import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPERATORS } from '../../../scenario/schema/assertion-schema.ts';
import { compareValue } from './operator.ts';

describe('compareValue', () => {
  it.each(OPERATORS)('a missing value fails every operator but ne and not_exists: %s', (operator) => {
    const expected = operator.endsWith('regex') ? '.*' : 0;
    const satisfied = compareValue(operator, null, expected) === null;
    expect(satisfied).toBe(operator === 'ne' || operator === 'not_exists');
    expect(compareValue(operator, undefined, expected)).toBe(compareValue(operator, null, expected));
  });

  it('a missing value does not even equal null', () => {
    expect(compareValue('eq', null, null)).not.toBeNull();
    expect(compareValue('ne', null, null)).toBeNull();
  });

  it.each([
    ['eq', { a: [1] }, { a: [1] }],
    ['eq', false, false],
    ['ne', 'a', 'b'],
    ['gt', 2, 1],
    ['gte', 2, 2],
    ['lt', 1, 2],
    ['lte', 2, 2],
    ['contains', 'a refund was made', 'refund'],
    ['contains', 'order 42', 42],
    ['contains', 'au cafe\u0301', 'café'],
    ['contains', [1, { a: 1 }], { a: 1 }],
    ['regex', 'Order A-17', 'A-\\d+$'],
    ['not_contains', 'a refund was made', 'Refund'],
    ['not_contains', 'order 41', 42],
    ['not_contains', ['refunds'], 'refund'],
    ['not_contains', '', 'refund'],
    ['not_regex', 'Order A-17', '^A'],
    ['exists', '', undefined],
    ['exists', false, undefined],
    ['exists', [], undefined],
  ] as const)('%s holds for %j and %j', (operator, actual, expected) => {
    expect(compareValue(operator, actual, expected)).toBeNull();
  });

  it.each([
    ['eq', '1', 1],
    ['ne', [1], [1]],
    ['gt', 1, 1],
    ['lt', 1, 1],
    ['contains', 'Refund', 'refund'],
    ['contains', ['refunds'], 'refund'],
    ['regex', 'abc', '^b'],
    ['not_exists', 0, undefined],
  ] as const)('%s does not hold for %j and %j', (operator, actual, expected) => {
    expect(compareValue(operator, actual, expected)).toBe('');
  });

  it.each([
    ['gt', '5', 1, 'gt compares numbers, not a text'],
    ['lte', [1], 1, 'lte compares numbers, not a list'],
    ['contains', { a: 1 }, 'a', 'only a text or a list can contain something, not an object'],
    ['contains', 'true', true, 'a text cannot contain a boolean'],
    ['not_contains', 17, '1', 'only a text or a list can contain something, not a number'],
    ['not_contains', 'true', true, 'a text cannot contain a boolean'],
    ['not_contains', null, 'a', 'there is no value'],
    ['not_contains', 'no refund', 'refund', 'found at character 4: "no refund"'],
    ['not_contains', ['a', 'b'], 'b', 'found as entry 2 of 2'],
    ['not_contains', 'As\u00a0an AI', 'As an AI', 'found at character 1: "As\u00a0an AI"'],
    ['not_regex', 'As\u00a0an AI', 'As an', 'found at character 1: "As an AI"'],
    ['regex', 'As\u00a0an AI', 'As an', 'it would match with ordinary spaces and composed letters'],
    ['not_regex', undefined, 'a', 'there is no value'],
    ['not_regex', 'order A-17 is late', 'A-\\d+', 'found at character 7: "order A-17 is late"'],
    ['not_regex', 17, '\\d', 'a pattern needs a text, not a number'],
    ['regex', 17, '\\d', 'a pattern needs a text, not a number'],
  ] as const)('%s of %j and %j fails with a reason', (operator, actual, expected, reason) => {
    expect(compareValue(operator, actual, expected)).toBe(reason);
  });

  it('refuses an assertion that cannot be meant', () => {
    expect(() => compareValue('gt', 1, '1')).toThrow('The operator "gt" needs a number as its value, not "1".');
    expect(() => compareValue('regex', 'a', 1)).toThrow('needs a pattern');
  });

  it('does not hang on a pattern made to', () => {
    expect(compareValue('regex', `${'a'.repeat(50_000)}!`, '^(a+)+$')).toBe('');
  });

  it('says where two long texts begin to differ', () => {
    const beginning = 'The order was shipped on Monday and will arrive on ';
    expect(compareValue('eq', `${beginning}Friday, by train.`, `${beginning}Sunday, by train.`)).toBe(
      'expected "Sunday, by train." at character 52: "…was shipped on Monday and will arrive on Friday, by train."',
    );
  });

  it.each([
    [{ a: 1, b: { c: [1, 2] } }, { a: 1, b: { c: [1, 3] } }, 'expected 3 at b.c[1], but it is 2'],
    [{ a: 1 }, { a: 1, b: 2 }, 'expected 2 at b, but it is nothing'],
    [[1, 2], [1], 'expected nothing at [1], but it is 2'],
    [[{ a: 'x' }], [{ a: { b: 1 } }], 'expected {"b":1} at [0].a, but it is "x"'],
    [{ a: 1 }, [1], ''],
  ])('says where %j and %j differ', (actual, expected, reason) => {
    expect(compareValue('eq', actual, expected)).toBe(reason);
  });

  it('contains and not_contains, regex and not_regex disagree on every text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ maxLength: 2 }), (text, part) => {
        const pattern = part.replace(/[^\w ]/g, '.');
        expect(compareValue('contains', text, part) === null).toBe(compareValue('not_contains', text, part) !== null);
        expect(compareValue('regex', text, pattern) === null).toBe(compareValue('not_regex', text, pattern) !== null);
      }),
    );
  });

  it('eq and ne disagree on every value that is there', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (actual, expected) => {
        fc.pre(actual !== null);
        expect(compareValue('eq', actual, expected) === null).toBe(compareValue('ne', actual, expected) !== null);
      }),
    );
  });
});
