import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { settledReply } from './read-stream.ts';

function readerOf(signal = new AbortController().signal) {
  const chunks: unknown[] = [];
  return { chunks, reader: { signal, onChunk: (json: string) => void chunks.push(JSON.parse(json)) } };
}

async function* streamOf(...chunks: unknown[]) {
  yield* chunks;
}

describe('a stream is read to its end', () => {
  test.each([
    ['an async iterable', streamOf({ role: 'assistant', content: 'x' })],
    ['a ReadableStream', ReadableStream.from([{ role: 'assistant', content: 'x' }])],
    ['a stream of Node', Readable.from([{ role: 'assistant', content: 'x' }])],
    ['a response with a stream', { stream: streamOf({ role: 'assistant', content: 'x' }) }],
  ])('%s', async (_, reply) => {
    const { reader, chunks } = readerOf();
    expect(await settledReply(reply, reader)).toEqual({ $stream: [{ role: 'assistant', content: 'x' }] });
    expect(chunks).toHaveLength(1);
  });

  test('bytes are text, also if a character is divided', async () => {
    const bytes = new TextEncoder().encode('é!');
    const { reader } = readerOf();
    expect(await settledReply(streamOf(bytes.subarray(0, 1), bytes.subarray(1)), reader)).toEqual({
      $stream: ['', 'é!'],
    });
  });

  test('a chunk that is changed later is kept as it was', async () => {
    const { reader } = readerOf();
    const chunk = { text: 'a' };
    async function* changing() {
      yield chunk;
      chunk.text = 'b';
      yield chunk;
    }
    expect(await settledReply(changing(), reader)).toEqual({ $stream: [{ text: 'a' }, { text: 'b' }] });
  });
});

test.each([
  ['text', 'x'],
  ['null', null],
  ['a turn', { content: 'x' }],
  ['a list', [{ role: 'user' }]],
])('anything else is returned as it is: %s', async (_, reply) => {
  expect(await settledReply(reply, readerOf().reader)).toBe(reply);
});

test('what the stream throws is thrown, and what came before was reported', async () => {
  const { reader, chunks } = readerOf();
  async function* failing() {
    yield 'Let me';
    throw new Error('gone');
  }
  await expect(settledReply(failing(), reader)).rejects.toThrow('gone');
  expect(chunks).toEqual(['Let me']);
});

test('a stream that never ends is left when its time is over', async () => {
  const controller = new AbortController();
  const { reader, chunks } = readerOf(controller.signal);
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) {
        yield 'x';
        if (chunks.length > 3) controller.abort(new Error('time is over'));
      }
    } finally {
      isClosed = true;
    }
  }
  await expect(settledReply(endless(), reader)).rejects.toThrow('time is over');
  expect(isClosed).toBe(true);
});
