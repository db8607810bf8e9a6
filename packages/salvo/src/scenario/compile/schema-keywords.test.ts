import { expect, test } from 'vitest';
import { z } from 'zod';
import { unknownKeywords } from './schema-keywords.ts';

const typo = { requried: ['a'] };

test.each([
  ['at the top', typo, ['requried']],
  ['in a property', { properties: { a: typo } }, ['properties', 'a', 'requried']],
  ['in an entry', { items: typo }, ['items', 'requried']],
  ['in a list of schemas', { anyOf: [{}, typo] }, ['anyOf', 1, 'requried']],
  ['in a definition', { $defs: { a: { not: typo } } }, ['$defs', 'a', 'not', 'requried']],
])('finds a keyword that does not exist %s', (_, schema, path) => {
  expect(unknownKeywords(schema)).toEqual([{ keyword: 'requried', path }]);
});

test.each([
  ['names of properties', { properties: { requried: { type: 'string' } }, required: ['requried'] }],
  ['values', { const: typo, enum: [typo], default: typo, examples: [typo] }],
  ['extensions', { 'x-order': 1, nullable: true, propertyOrdering: ['a'] }],
  ['properties that others depend on', { dependentRequired: { requried: ['a'] }, dependencies: { b: ['a'] } }],
  ['schemas that are true or false', { items: true, additionalProperties: false }],
  ['what zod writes', z.toJSONSchema(z.object({ a: z.string().email().min(1), b: z.union([z.int(), z.null()]) }))],
])('lets %s be', (_, schema) => {
  expect(unknownKeywords(schema)).toEqual([]);
});
