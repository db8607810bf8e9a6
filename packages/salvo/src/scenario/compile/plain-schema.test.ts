import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainSchema } from './plain-schema.ts';

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
