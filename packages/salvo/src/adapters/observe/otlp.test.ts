import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
import { decodeOtlp } from './otlp-messages.ts';
import { isWholeTrace, newSpanSession, receiveOtlp, type SpanSession } from './otlp-receiver.ts';
import { ProtobufError } from './protobuf.ts';

/** A field of the wire format: the length of `bytes`, or a number. */
function field(number: number, bytes: Buffer | string): Buffer {
  const content = Buffer.from(bytes);
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.from([...bytes, left]);
}

const attribute = (key: string, value: Buffer) => field(9, Buffer.concat([field(1, key), field(2, value)]));
const requestWith = (span: Buffer) => field(1, field(2, field(2, span)));
const SPAN = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 2)), field(5, 'chat')]);

describe('OTLP as protobuf', () => {
  it('is decoded to its JSON form, and unknown fields are skipped', () => {
    const value = Buffer.concat([varint(3 * 8), varint(42)]);
    const unknown = Buffer.concat([varint(99 * 8), varint(300), varint(98 * 8 + 5), Buffer.alloc(4)]);
    const bytes = requestWith(Buffer.concat([SPAN, attribute('tokens', value), unknown]));
    expect(decodeOtlp(bytes, 'traces')).toEqual({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  ...{ traceId: '01'.repeat(16), spanId: '02'.repeat(8), name: 'chat' },
                  attributes: [{ key: 'tokens', value: { intValue: '42' } }],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('is refused if it is cut anywhere', () => {
    const bytes = requestWith(SPAN);
    for (let length = 1; length < bytes.length; length += 1) {
      expect(() => decodeOtlp(bytes.subarray(0, length), 'traces')).toThrow(ProtobufError);
    }
    expect(decodeOtlp(Buffer.alloc(0), 'traces')).toEqual({});
  });

  it.each([
    ['a number without an end', Buffer.alloc(20, 0xff)],
    ['a length of 2^64', Buffer.from([10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1])],
    ['an unknown wire type', Buffer.from([15])],
    ['a wrong wire type', Buffer.from([8, 1])],
  ])('is refused with %s', (_, bytes) => {
    expect(() => decodeOtlp(bytes, 'traces')).toThrow(ProtobufError);
  });

  it('is refused if values are nested too deeply', () => {
    let value: Buffer = field(1, 'deep');
    for (let depth = 0; depth < 200; depth += 1) value = field(5, field(1, value));
    expect(() => decodeOtlp(requestWith(attribute('deep', value)), 'traces')).toThrow(
      'nested more than 64 levels deep',
    );
  });

  it('never fails in another way', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('traces' as const, 'logs' as const),
        (bytes, signal) => {
          try {
            expect(decodeOtlp(bytes, signal)).toBeTypeOf('object');
          } catch (error) {
            expect(error).toBeInstanceOf(ProtobufError);
          }
        },
      ),
    );
  });
});

async function receiver(): Promise<AsyncDisposable & { session: SpanSession; server: LoopbackServer }> {
  const session = newSpanSession();
  const sessions = { ofTrace: () => session, all: () => [session] };
  const server = await startLoopbackServer({
    port: 0,
    handle: (...given) => receiveOtlp(...given, sessions),
    onHttp2: () => {},
  });
  return { session, server, [Symbol.asyncDispose]: () => server.close() };
}

describe('a receiver of spans', () => {
  const post = ({ origin }: LoopbackServer, body: Buffer, headers: Record<string, string> = {}, path = '/v1/traces') =>
    fetch(`${origin}${path}`, { method: 'POST', body: new Uint8Array(body), headers });

  it('takes compressed spans, and metrics without reading them', async () => {
    await using running = await receiver();
    expect((await post(running.server, gzipSync(requestWith(SPAN)), { 'content-encoding': 'gzip' })).status).toBe(200);
    expect((await post(running.server, Buffer.from('anything'), {}, '/v1/metrics')).status).toBe(200);
    expect(running.session).toMatchObject({ spans: [{ name: 'chat', id: '02'.repeat(8) }], problems: [] });
  });

  const JSON_TYPE = { 'content-type': 'application/json' };
  it.each<[string, Buffer, Record<string, string>]>([
    ['bytes that are no spans', Buffer.from('hello'), {}],
    ['bytes that are not compressed', requestWith(SPAN), { 'content-encoding': 'gzip' }],
    ['an unknown compression', requestWith(SPAN), { 'content-encoding': 'br' }],
    ['a bomb', gzipSync(Buffer.alloc(60 * 1024 * 1024)), { 'content-encoding': 'gzip' }],
    ['text that is no JSON', Buffer.from('{'), JSON_TYPE],
    ['a JSON list', Buffer.from('[]'), JSON_TYPE],
    ['wrong types', Buffer.from('{"resourceSpans":{"a":1}}'), JSON_TYPE],
    ['a span without an id', Buffer.from('{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}'), JSON_TYPE],
    ['deep nesting', Buffer.from(`{"resourceSpans":${'['.repeat(10_000)}${']'.repeat(10_000)}}`), JSON_TYPE],
  ])('refuses %s, says so, and goes on', async (_, body, headers) => {
    await using running = await receiver();
    expect((await post(running.server, body, headers)).status).toBe(400);
    expect(running.session.problems).toEqual([expect.stringContaining('traces that cannot be read')]);
    expect((await post(running.server, requestWith(SPAN))).status).toBe(200);
    expect(running.session.spans).toHaveLength(1);
  });

  it('refuses pages in a browser', async () => {
    await using running = await receiver();
    const response = await post(running.server, requestWith(SPAN), { origin: 'https://example.com' });
    expect(response.status).toBe(403);
    expect(running.session.spans).toEqual([]);
  });

  it('knows when the spans of a trace are all there', () => {
    const span = (id: string, parent: string | null) => ({
      id,
      parent,
      traceId: 't',
      name: 'a',
      start: 0,
      end: 1,
      attributes: {},
      events: [],
      error: null,
    });
    const isWhole = (...spans: SpanSession['spans']) => isWholeTrace({ ...newSpanSession(), spans }, 'given');
    expect(isWhole()).toBe(false);
    expect(isWhole(span('child', 'root'))).toBe(false);
    expect(isWhole(span('child', 'root'), span('root', 'given'))).toBe(true);
    expect(isWhole(span('root', null))).toBe(true);
  });
});
