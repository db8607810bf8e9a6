import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainSchema, surelyFits } from './plain-schema.ts';

const { Ajv2020 }: typeof import('ajv/dist/2020.js') = createRequire(import.meta.url)('ajv/dist/2020.js');
const { Ajv }: typeof import('ajv') = createRequire(import.meta.url)('ajv');

test('the schema of an ordinary tool is plain', () => {
  expect(
    isPlainSchema({
      type: 'object',
      properties: {
        id: { type: 'string', description: 'Which one.', minLength: 1 },
        tags: { type: 'array', items: { enum: ['a', 'b'] } },
        at: { anyOf: [{ type: 'integer', minimum: 0 }, { type: ['string', 'null'] }] },
      },
      required: ['id'],
      additionalProperties: false,
    }),
  ).toBe(true);
});

test.each([
  [{ type: 'strng' }],
  [{ type: [] }],
  [{ required: 'id' }],
  [{ required: ['a', 'a'] }],
  [{ properties: { id: 'string' } }],
  [{ anyOf: [] }],
  [{ minLength: -1 }],
  [{ $ref: '#/x' }],
  [{ pattern: '(' }],
  [{ items: [{}] }],
  [{ proprties: {} }],
  [null],
  ['object'],
])('%j is left to the metaschema', (schema) => {
  expect(isPlainSchema(schema)).toBe(false);
});

test('the metaschemas of both drafts accept every plain schema', () => {
  const modern = new Ajv2020({ strict: false });
  const draft7 = new Ajv({ strict: false });
  const words = ['type', 'properties', 'required', 'items', 'enum', 'anyOf', 'not', 'minLength', 'maximum', 'title'];
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('string', 'object', 'null', '', 'x'),
      fc.integer({ min: -2, max: 5 }),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...words), tie('any'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...words), value, { maxKeys: 4, noNullPrototype: true }), (schema) => {
      fc.pre(isPlainSchema(schema));
      expect(modern.validateSchema(schema)).toBe(true);
      expect(draft7.validateSchema(schema)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

const TOOL = {
  type: 'object',
  properties: {
    id: { type: 'string', minLength: 2, description: 'Which one.' },
    count: { type: ['integer', 'null'], minimum: 1, exclusiveMaximum: 10 },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 },
    at: { anyOf: [{ type: 'number' }, { const: 'now' }] },
  },
  required: ['id'],
  additionalProperties: false,
};

test.each([
  [{ id: 'A-1' }],
  [{ id: '😀😀', count: 9, tags: ['a', 'b'], at: 'now' }],
  [{ id: 'A-1', count: null, tags: [], at: 1.5 }],
])('%j fits the schema of an ordinary tool', (value) => {
  expect(surelyFits(TOOL, value)).toBe(true);
});

test.each([
  [{}],
  [[]],
  ['A-1'],
  [{ id: '😀' }],
  [{ id: 'A-1', count: 1.5 }],
  [{ id: 'A-1', count: 10 }],
  [{ id: 'A-1', tags: ['c'] }],
  [{ id: 'A-1', tags: ['a', 'a', 'a'] }],
  [{ id: 'A-1', at: 'later' }],
  [{ id: 'A-1', other: 1 }],
  [{ id: undefined }],
  [Object.create({ id: 'A-1' })],
])('%j does not', (value) => {
  expect(surelyFits(TOOL, value)).toBe(false);
});

test.each([[{ oneOf: [{}] }], [{ not: false }], [{ uniqueItems: true }], [{ $ref: '#' }], [{ pattern: '.' }]])(
  'what fits %j is left to Ajv',
  (schema) => {
    expect(surelyFits(schema, 'x')).toBe(false);
  },
);

test('Ajv accepts every value that surely fits', () => {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateFormats: false });
  const name = fc.constantFrom('a', 'b', 'toString');
  const leaf = fc.constantFrom<unknown>(null, true, 'a', 'b', '😀x', '', 0, 1, -1, 2.5, 7);
  const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');
  const LIMITS = ['Length', 'Items', 'imum'].flatMap((what) => [`min${what}`, `max${what}`]);
  const { value, schema } = fc.letrec((tie) => {
    const schemas = fc.array(tie('schema'), { minLength: 1, maxLength: 2 });
    const keyword = fc.oneof(
      fc.tuple(fc.constant('type'), fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))),
      fc.tuple(fc.constant('properties'), fc.dictionary(name, tie('schema'), { maxKeys: 2, noNullPrototype: true })),
      fc.tuple(fc.constant('required'), fc.uniqueArray(name, { maxLength: 2 })),
      fc.tuple(fc.constantFrom('additionalProperties', 'items'), tie('schema')),
      fc.tuple(fc.constant('enum'), fc.uniqueArray(leaf, { minLength: 1, maxLength: 4 })),
      fc.tuple(fc.constant('const'), leaf),
      fc.tuple(fc.constantFrom('anyOf', 'allOf', 'oneOf'), schemas),
      fc.tuple(fc.constantFrom(...LIMITS, 'exclusiveMinimum', 'exclusiveMaximum'), fc.integer({ min: 0, max: 3 })),
    );
    return {
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.boolean(),
        fc.array(keyword, { maxLength: 3 }).map((keywords) => Object.fromEntries(keywords)),
      ),
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    };
  });
  let fitting = 0;
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 10, maxLength: 10 }), (each, values) => {
      expect(typeof each === 'boolean' || isPlainSchema(each)).toBe(true);
      const fits = ajv.compile(typeof each === 'boolean' ? each : Object(each));
      for (const given of values.filter((one) => surelyFits(each, one))) {
        fitting += 1;
        expect(fits(given)).toBe(true);
      }
    }),
  );
  expect(fitting).toBeGreaterThan(100);
});
