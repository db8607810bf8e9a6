import { expect, test } from 'vitest';
import { callResultSchema, outcomeOf } from './mcp-result.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const outcome = (result: unknown) => outcomeOf(callResultSchema.parse(result));
const text = (said: string) => ({ type: 'text', text: said });

test.each<[string, unknown, string]>([
  ['texts are joined', { content: [text('a'), text('b')] }, 'a\nb'],
  ['nothing is an empty text', {}, ''],
  ['structured content is given as JSON', { content: [], structuredContent: { a: 1 } }, '{"a":1}'],
  [
    'structured content that is also said is given once',
    { content: [text('{ "a": 1 }')], structuredContent: { a: 1 } },
    '{ "a": 1 }',
  ],
  [
    'structured content beside a text is given, too',
    { content: [text('One.')], structuredContent: { a: 1 } },
    'One.\n{"a":1}',
  ],
  ['a link is named', { content: [{ type: 'resource_link', uri: 'shop://a', name: 'A' }] }, '[resource: A, shop://a]'],
  ['a resource is read', { content: [{ type: 'resource', resource: { uri: 'shop://a', text: 'Hi' } }] }, 'Hi'],
  ['a part of a later type is named', { content: [{ type: 'hologram', data: 5 }] }, '[hologram]'],
  [
    'a file that is not what it says is named',
    { content: [{ type: 'image', data: 'not base64!', mimeType: 'image/png' }] },
    '[image: it cannot be read]',
  ],
])('%s', (_, result, content) => {
  expect(outcome(result)).toEqual({ content, is_error: false, problem: null });
});

test('images and blobs are files', () => {
  const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
  const blob = { type: 'resource', resource: { uri: 'shop://a', mimeType: 'image/png', blob: PIXEL } };
  const file = { media_type: 'image/png', base64: PIXEL };
  expect(outcome({ content: [image, blob] })).toMatchObject({ content: '', files: [file, file] });
});

test('an error is the error of the tool', () => {
  expect(outcome({ content: [text('no')], isError: true })).toMatchObject({ content: 'no', is_error: true });
});

test('more text than anybody reads is refused', () => {
  expect(() => outcome({ content: [text('x'.repeat(5_000_000))] })).toThrow('a text of 4.8 MB');
});
