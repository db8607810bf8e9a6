import { expect, test } from 'vitest';
import { adapterOptionsSchema } from '../adapter-options-schema.ts';
import { renderTemplate } from './request-template.ts';

const fail = (name: string): never => {
  throw new Error(`missing ${name}`);
};

test('a placeholder alone keeps its type, one within a text becomes text, and a missing value is left out', () => {
  const values = { message: 'Say "hi"', messages: [{ role: 'user' }], row: { id: 7, tags: ['a'] }, session: undefined };
  const template = {
    input: '{{message}}',
    history: '{{ messages }}',
    id: '{{row.id}}',
    note: 'case {{row.id}}: {{row.tags}}, {{message}}',
    session: '{{session}}',
    nested: [{ deep: '{{row.tags}}' }, '{{session}}', 3, null, true],
  };
  expect(renderTemplate(template, values, fail)).toEqual({
    input: 'Say "hi"',
    history: [{ role: 'user' }],
    id: 7,
    note: 'case 7: ["a"], Say "hi"',
    nested: [{ deep: ['a'] }, 3, null, true],
  });
});

test('what a value says is never read as a template, and no inherited field is found', () => {
  expect(renderTemplate('{{message}}!', { message: '{{row.x}} $& $1' }, fail)).toBe('{{row.x}} $& $1!');
  expect(renderTemplate('{{config.constructor}}', { config: {} }, fail)).toBeUndefined();
});

test('a column or a shared value that is not there is an error', () => {
  expect(() => renderTemplate({ a: '{{row.order}}' }, { row: {} }, fail)).toThrow('missing row.order');
  expect(() => renderTemplate('at {{share.url}}', {}, fail)).toThrow('missing share.url');
});

test('a wrong placeholder is a problem with its place', () => {
  const request = { a: ['{{message}}', { b: '{{mesage.x}}' }], c: '{{row x}}', d: 4 };
  const options = { type: 'http', url: 'http://localhost:1/', request };
  expect(adapterOptionsSchema.safeParse(options).error?.issues).toMatchObject([
    {
      path: ['request', 'a', 1, 'b'],
      message: expect.stringContaining('unknown placeholder {{mesage}}. Did you mean "message"?'),
    },
    { path: ['request', 'c'], message: expect.stringContaining('begins no placeholder') },
  ]);
});
