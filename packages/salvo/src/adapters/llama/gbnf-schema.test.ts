import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gbnfSchema, withoutNulls } from './gbnf-schema.ts';

const object = (properties: Record<string, unknown>, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

test.each([
  ['a bare type', { type: 'integer', minimum: 3, multipleOf: 2 }, { type: 'integer' }],
  ['a text with a length', { type: 'string', maxLength: 5, pattern: '^a' }, { type: 'string', maxLength: 5 }],
  ['a date', { type: 'string', format: 'date' }, { type: 'string', format: 'date' }],
  ['an unknown format', { type: 'string', format: 'email' }, { type: 'string' }],
  ['choices', { type: 'string', enum: ['a', 'b', ['c']] }, { enum: ['a', 'b'] }],
  ['a constant', { const: null }, { const: null }],
  ['several types', { type: ['string', 'null'] }, { oneOf: [{ type: 'string' }, { type: 'null' }] }],
  [
    'alternatives',
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { oneOf: [{ type: 'string' }, { type: 'null' }] },
  ],
  [
    'a list',
    { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
    { type: 'array', items: { type: 'string' }, minItems: 1 },
  ],
  [
    'an object',
    object({ a: { type: 'string', description: 'A' } }),
    { type: 'object', properties: { a: { type: 'string', description: 'A' } } },
  ],
  ['an object of nothing', { type: 'object', properties: {} }, { type: 'object', properties: {} }],
  ['an object of anything', { type: 'object' }, { type: 'object', properties: {}, additionalProperties: true }],
  [
    'no type',
    { properties: { a: { const: 1 } }, required: ['a'] },
    { type: 'object', properties: { a: { const: 1 } } },
  ],
  [
    'objects put together',
    { allOf: [object({ a: { const: 1 } }), object({ b: { const: 2 } })] },
    { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } } },
  ],
  [
    'references',
    { ...object({ a: { $ref: '#/definitions/x' } }), definitions: { x: { type: 'string' } } },
    { type: 'object', properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { type: 'string' } } },
  ],
])('%s can be turned into a grammar', (_, schema, expected) => {
  expect(gbnfSchema(schema)).toEqual(expected);
});

test('a property that is not required may be null, and the null is removed afterwards', () => {
  const schema = object({ a: { type: 'string' }, b: { type: 'string', description: 'B' } }, ['a']);
  expect(gbnfSchema(schema)).toEqual({
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { oneOf: [{ type: 'string', description: 'B' }, { type: 'null' }], description: 'B' },
    },
  });
  expect(withoutNulls({ a: 'x', b: null }, schema)).toEqual({ a: 'x' });
  expect(withoutNulls({ a: 'x', b: 'y' }, schema)).toEqual({ a: 'x', b: 'y' });
});

test('a null that the schema allows is kept', () => {
  const schema = object(
    { a: { type: ['string', 'null'] }, b: { anyOf: [{ const: 1 }, { type: 'null' }] }, c: { enum: [1, null] } },
    [],
  );
  const value = { a: null, b: null, c: null, unknown: null };
  expect(withoutNulls(value, schema)).toEqual(value);
  expect(withoutNulls({ a: null }, object({ a: { type: 'string' } }))).toEqual({ a: null });
});

test('nulls are found in lists, in nested objects and behind references', () => {
  const inner = object({ x: { type: 'string' } }, []);
  const schema = {
    ...object({ list: { type: 'array', items: inner }, ref: { $ref: '#/$defs/inner' } }),
    $defs: { inner },
  };
  const value = { list: [{ x: null }, { x: 'y' }], ref: { x: null } };
  expect(withoutNulls(value, schema)).toEqual({ list: [{}, { x: 'y' }], ref: {} });
});

test.each([
  [{}],
  [{ type: 'unknown' }],
  [{ $ref: 'http://elsewhere' }],
  [{ enum: [] }],
  [{ type: 42 }],
  [{ oneOf: 'x' }],
])('%j is unknown, so every value is allowed', (schema) => {
  expect(gbnfSchema(schema)).toMatchObject({ oneOf: expect.any(Array) });
});

test('every schema can be converted', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('type', 'properties', 'items', 'allOf', 'enum', 'required', '$defs'),
        fc.jsonValue(),
      ),
      (schema) => {
        expect(gbnfSchema(schema)).toBeTypeOf('object');
        expect(() => withoutNulls({ a: [null], b: { c: null } }, schema)).not.toThrow();
      },
    ),
  );
});
