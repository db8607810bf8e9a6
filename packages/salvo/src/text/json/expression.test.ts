import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SalvoError } from '../errors/salvo-error.ts';
import { compileExpression, ExpressionError } from './expression.ts';

test('an expression is applied to data, and a missing value is null', () => {
  expect(compileExpression('a[?b > `1`].b')({ a: [{ b: 1 }, { b: 2 }] })).toEqual([2]);
  expect(compileExpression('a.b.c')({})).toBeNull();
});

test.each(['constructor', 'toString', '__proto__', 'a.hasOwnProperty', 'a.constructor.name'])(
  '%s is missing unless the data has it',
  (expression) => {
    expect(compileExpression(expression)({ a: {} })).toBeNull();
  },
);

test('an own key with the name of an inherited one is found', () => {
  expect(compileExpression('a.constructor')(JSON.parse('{"a": {"constructor": 1}}'))).toBe(1);
});

test.each([
  ['a.b c', 4],
  ['a[', 2],
  ['a || ', 5],
  ['x.lenght(a)', 2],
])('an error in %j is found at character %i', (expression, offset) => {
  const error = thrownBy(() => compileExpression(expression));
  expect(error).toBeInstanceOf(ExpressionError);
  expect(error).toMatchObject({ offset });
});

test('an unknown function is refused before anything runs, with a suggestion', () => {
  expect(() => compileExpression('[0].lenght(@)')).toThrow(/unknown function, lenght\(\)\. Did you mean length\(\)\?/);
});

test('a let without a comma between its bindings is refused, though the library takes it', () => {
  expect(() => compileExpression("let $a = a'x' in $a")).toThrow('a binding of let has the form $name = value');
  expect(compileExpression("let $a = a, $b = 'x' in $a")({ a: 1 })).toBe(1);
});

test('a literal may contain anything', () => {
  expect(compileExpression('`{"type": "Function", "name": "x"}`')(null)).toEqual({ type: 'Function', name: 'x' });
});

test('an expression that does not fit the data gives null', () => {
  expect(compileExpression('length(a)')({ a: 1 })).toBeNull();
  expect(compileExpression("contains(a, 'x')")({})).toBeNull();
});

test('an expression that fits no data throws a readable error', () => {
  expect(() => compileExpression('length(a, b)')({})).toThrow(/"length\(a, b\)" failed/);
});

test.each([`${'('.repeat(1999)}a`, 'a'.repeat(5000), '', '"', '`'])(
  'a hostile expression is refused as such',
  (expression) => {
    expect(thrownBy(() => compileExpression(expression)({}))).toBeInstanceOf(SalvoError);
  },
);

test('no expression throws anything but a SalvoError', () => {
  const piece = fc.constantFrom(
    'a',
    '.',
    '[',
    ']',
    '?',
    '(',
    ')',
    '`',
    '"',
    "'",
    '|',
    '&',
    '*',
    '@',
    'length(',
    '{',
    '}',
    ':',
    '1',
    '$',
    'let ',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const error = thrownBy(() => compileExpression(pieces.join(''))({ a: [1, { a: 'x' }] }));
      expect(error === null || error instanceof SalvoError).toBe(true);
    }),
  );
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
    return null;
  } catch (error) {
    return error;
  }
}
