import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { samplePng } from '../../../../../test/sample-images.ts';
import { readReply } from '../forms/read-reply.ts';
import { mediumFile, ownFiles } from './medium-file.ts';

const data = samplePng().toString('base64');
const url = `data:image/png;base64,${data}`;
const image = { media_type: 'image/png', bytes: samplePng().length, data };

describe('an image with its content', () => {
  test.each([
    ['Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
    ['OpenAI chat', { type: 'image_url', image_url: { url } }],
    ['OpenAI Responses', { type: 'input_image', image_url: url }],
    ['OpenAI Agents', { type: 'input_image', image: url }],
    ['AI SDK 5', { type: 'file', mediaType: 'image/png', data }],
    ['AI SDK 7', { type: 'file', mediaType: 'image/png', data: { type: 'data', data } }],
    ['AI SDK, generated', { type: 'file', file: { base64Data: data, mediaType: 'image/png' } }],
    ['LangChain 0', { type: 'image', source_type: 'base64', mime_type: 'image/png', data }],
    ['LangChain 1', { type: 'image', mimeType: 'image/png', data }],
  ])('of %s is kept beside its marker', (_, part) => {
    const read = readReply([{ role: 'user', content: [{ type: 'text', text: 'Look:' }, part] }], 'call');
    expect(read?.conversation.messages).toMatchObject([
      { role: 'user', content: expect.stringContaining('Look:\n[image'), files: [image] },
    ]);
  });

  test('of Gemini and Bedrock is kept, too', () => {
    const gemini = { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data } }] };
    const bedrock = { role: 'assistant', content: [{ image: { format: 'png', source: { bytes: data } } }] };
    for (const message of [gemini, bedrock]) {
      const { messages } = readReply([message], 'call')?.conversation ?? {};
      expect(messages).toMatchObject([{ role: 'assistant', content: '[image]', files: [image] }]);
    }
  });

  test('in the result of a tool is kept with the result', () => {
    const content = [
      { type: 'text', text: 'Here.' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    ];
    const messages = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'shoot', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
    ];
    expect(readReply(messages, 'call')?.conversation.messages[1]).toMatchObject({
      role: 'tool_result',
      content: 'Here.\n[image]',
      files: [image],
    });
  });
});

test('an address is kept as an address', () => {
  expect(mediumFile({ type: 'image_url', image_url: { url: 'https://example.com/a.jpg?x=1' } })).toEqual({
    media_type: 'image/jpeg',
    url: 'https://example.com/a.jpg?x=1',
  });
});

test.each([
  ['a wrong type', { source: { media_type: 'image/png', data: Buffer.from('<svg/>').toString('base64') } }],
  ['cut off', { source: { media_type: 'image/png', data: `${data.slice(0, 5)}=` } }],
  ['too large', { data: 'A'.repeat(15_000_000) }],
  ['a script', { url: 'javascript:alert(1)' }],
  ['a file of the machine', { url: 'file:///etc/passwd' }],
  ['an id', { file: { file_id: 'file-1' } }],
  ['nested too deeply', { file: { file: { file: { file: { file: { data } } } } } }],
  ['numbers', { data: 7, url: null, source: [] }],
])('%s leaves only the marker', (_, part) => {
  expect(mediumFile(part)).toBeUndefined();
  const read = readReply([{ role: 'assistant', content: [{ type: 'image', ...part }] }], 'call');
  expect(read?.conversation.messages).toEqual([{ role: 'assistant', content: '[image]', tool_calls: [] }]);
});

test('whatever a part has, it gives a file or none', () => {
  const part = fc.dictionary(
    fc.constantFrom('data', 'url', 'source', 'file', 'image', 'mediaType', 'name'),
    fc.anything(),
  );
  fc.assert(
    fc.property(part, (given) => {
      expect(['undefined', 'object']).toContain(typeof mediumFile(given));
    }),
    { numRuns: 300 },
  );
});

describe("Salvo's own files, as an agent returns them", () => {
  test('are read, and what they say of their content is not believed', () => {
    expect(ownFiles([{ media_type: 'text/html', name: 'x', bytes: 1, sha256: 'no', data }])).toMatchObject([
      { ...image, name: 'x', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  test.each([
    [null],
    ['x'],
    [[1]],
    [[{ media_type: 'image/png' }]],
    [[{ media_type: 'image/png', data: '<svg>' }]],
    [[]],
  ])('%j are none', (given) => {
    expect(ownFiles(given)).toBeUndefined();
  });

  test('stay with the message', () => {
    const message = { role: 'user', content: 'hi', files: [{ media_type: 'image/png', data }] };
    expect(readReply([message], 'call')?.conversation.messages).toMatchObject([{ content: 'hi', files: [image] }]);
  });
});

test('a reply keeps no more files than a trace may hold', () => {
  const big = Buffer.concat([samplePng(), Buffer.alloc(9 * 1024 * 1024)]).toString('base64');
  const part = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: big } };
  const read = readReply([{ role: 'user', content: [part, part, part, part, part] }], 'call');
  const [message] = read?.conversation.messages ?? [];
  expect(message?.content).toBe('[image]\n[image]\n[image]\n[image]\n[image]');
  expect(message?.role === 'user' && message.files?.length).toBe(3);
});
