import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvents, type StreamKind, streamKind } from './read-events.ts';

async function eventsOf(text: string, kind: StreamKind = 'sse', sizes: number[] = [text.length || 1]) {
  const bytes = new TextEncoder().encode(text);
  const chunks: Uint8Array[] = [];
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const size = Math.max(1, sizes[index % sizes.length] ?? 1);
    chunks.push(bytes.slice(at, at + size));
    at += size;
  }
  return Array.fromAsync(readEvents(new Response(ReadableStream.from(chunks)), kind));
}

test('server-sent events are read with names, comments, several lines and any line ends', async () => {
  const text =
    ': hello\n\nevent: token\ndata: {"a":1}\n\ndata: one\r\ndata:two\r\n\r\nid: 4\rdata: null\r\rdata: {"cut":';
  expect(await eventsOf(text)).toEqual([
    { name: 'token', text: '{"a":1}', data: { a: 1 } },
    { name: undefined, text: 'one\ntwo', data: 'one\ntwo' },
    { name: undefined, text: 'null', data: null },
    { name: undefined, text: '{"cut":', data: '{"cut":' },
  ]);
});

test('[DONE] ends a stream, also if more follows', async () => {
  expect(await eventsOf('data: 1\n\ndata: [DONE]\n\ndata: 2\n\n')).toHaveLength(1);
  expect(await eventsOf('data: 1\n\ndata: [DONE]')).toHaveLength(1);
});

test('lines of JSON are events, with blank lines and record separators between them', async () => {
  expect((await eventsOf('{"a":1}\n\n\u001e{"a":2}\r\nnot json', 'ndjson')).map(({ data }) => data)).toEqual([
    { a: 1 },
    { a: 2 },
    'not json',
  ]);
});

test('an empty stream has no events', async () => {
  expect(await eventsOf('')).toEqual([]);
  expect(await Array.fromAsync(readEvents(new Response(null), 'sse'))).toEqual([]);
});

test('the same events are read however the bytes are cut into chunks', async () => {
  const whole = 'data: {"a":"é €"}\r\n\r\nevent: x\r\ndata: 1\rdata: 2\r\r: c\ndata: 3\n\n';
  const expected = await eventsOf(whole);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }), async (sizes) => {
      expect(await eventsOf(whole, 'sse', sizes)).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

test.each([
  ['text/event-stream; charset=utf-8', 'sse'],
  ['application/x-ndjson', 'ndjson'],
  ['Application/JSONL', 'ndjson'],
  ['application/json', undefined],
  ['text/html', undefined],
])('%s is %s', (type, kind) => {
  expect(streamKind(new Response('', { headers: { 'content-type': type } }))).toBe(kind);
});
