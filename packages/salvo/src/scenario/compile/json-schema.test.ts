import { expect, test } from 'vitest';
import { compileJsonSchema, JsonSchemaError } from './json-schema.ts';

test('a value that fits has no problems, any other has all of them with their positions', () => {
  const check = compileJsonSchema({
    type: 'object',
    properties: { a: { type: 'string' }, n: { enum: [1, 2] } },
    required: ['a', 'b'],
    additionalProperties: false,
  });
  expect(check({ a: 'x', b: 1 })).toEqual(['must not have the property "b"']);
  expect(check({ a: 1, n: 3 })).toEqual([
    "must have required property 'b'",
    '/a: must be string',
    '/n: must be one of 1, 2',
  ]);
});

test('draft 2020-12 is understood, and draft-07 if a schema says so or is only valid as draft-07', () => {
  expect(compileJsonSchema({ prefixItems: [{ type: 'string' }] })([1])).toHaveLength(1);
  expect(compileJsonSchema({ items: [{ type: 'string' }] })([1])).toHaveLength(1);
  const old = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { n: { type: 'number' } },
    $ref: '#/definitions/n',
  };
  expect(compileJsonSchema(old)('x')).toEqual(['must be number']);
});

test('true allows everything and false nothing', () => {
  expect(compileJsonSchema(true)(1)).toEqual([]);
  expect(compileJsonSchema(false)(1)).toHaveLength(1);
});

test('equal schemas are compiled once, and one that is no JSON like any other', () => {
  expect(compileJsonSchema({ type: 'string' })).toBe(compileJsonSchema({ type: 'string' }));
  expect(compileJsonSchema({ type: 'string' })).not.toBe(compileJsonSchema({ type: 'number' }));
  expect(compileJsonSchema({ type: 'string', examples: [1n] })(1)).toEqual(['must be string']);
});

test('two schemas may have the same $id, even that of a metaschema', () => {
  for (const $id of ['x', 'https://json-schema.org/draft/2020-12/schema']) {
    try {
      compileJsonSchema({ $id, type: 'string' });
    } catch (error) {
      expect(error).toBeInstanceOf(JsonSchemaError);
    }
  }
  expect(compileJsonSchema({ $id: 'x', type: 'number' })('x')).toEqual(['must be number']);
  expect(compileJsonSchema({ type: 'number' })('x')).toEqual(['must be number']);
});

test('patterns cannot hang, and unsupported ones are refused', () => {
  const check = compileJsonSchema({ pattern: '^(a+)+$', patternProperties: { '^(b+)+$': false } });
  expect(check(`${'a'.repeat(50_000)}!`)).toHaveLength(1);
  expect(() => compileJsonSchema({ pattern: '(?=a)' })).toThrow(/lookaheads/);
});

test('two patterns of one schema are not mixed up', () => {
  const check = compileJsonSchema({ properties: { a: { pattern: '^a' }, b: { pattern: '^b' } } });
  expect(check({ a: 'a', b: 'b' })).toEqual([]);
  expect(check({ a: 'b', b: 'a' })).toHaveLength(2);
});

test('nothing is fetched', () => {
  expect(() => compileJsonSchema({ $ref: 'https://example.com/schema.json' })).toThrow(/nothing is fetched/);
});

test('the error of a schema has its position', () => {
  const schema = { properties: { 'a/b': { type: 'strng' } } };
  expect(() => compileJsonSchema(schema)).toThrow(JsonSchemaError);
  try {
    compileJsonSchema(schema);
  } catch (error) {
    expect(error).toMatchObject({ path: ['properties', 'a/b', 'type'], code: 'JSON_SCHEMA_INVALID' });
  }
});

test('inherited properties do not count as given', () => {
  expect(compileJsonSchema({ required: ['toString'] })({})).toHaveLength(1);
});
