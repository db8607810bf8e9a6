import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { AdapterOptions } from '../../packages/salvo/src/adapters/adapter-options-schema.ts';
import { getAdapter } from '../../packages/salvo/src/adapters/registry.ts';
import { startLoopback } from '../loopback/loopback-server.ts';
import { isThorough } from '../thorough.ts';

const TOO_LONG = Buffer.alloc(51 * 1024 * 1024, 0x20);
const BOMB = gzipSync(Buffer.alloc(60 * 1024 * 1024, 0x20));
const headers = { 'X-Secret': `\${HEADER_KEY}` };
const env = { KEY: 'sk-test-0123456789abcdef', HEADER_KEY: 'header-secret-1' };
const optionsAt = (url: string): AdapterOptions[] => [
  { type: 'openai', base_url: url, api_key_env: 'KEY', headers },
  { type: 'anthropic', base_url: url, api_key_env: 'KEY', headers },
  { type: 'ai-sdk', package: '@ai-sdk/openai-compatible', base_url: url, api_key_env: 'KEY', headers },
  { type: 'http', url, api_key_env: 'KEY', headers },
];

async function failureOf(options: AdapterOptions): Promise<unknown> {
  const context = { root: process.cwd(), adapters: { a: options }, env };
  const turn = getAdapter('a', context).sendTurn([{ role: 'user', content: 'A prompt.' }], [], { model: 'm' });
  return await turn.then(
    () => expect.unreachable('the turn should have failed'),
    (error: unknown) => error,
  );
}

describe.each(optionsAt('').map(({ type }, index) => ({ type, index })))('$type', ({ index }) => {
  const at = (url: string): AdapterOptions => optionsAt(url)[index] ?? expect.unreachable();
  // All adapters share the limit. One of them shows that it counts every kind of answer, the others that they have it.
  const isTriedWithAll = isThorough() || index === 0;

  test.each([301, 302, 303, 307, 308])('does not follow a redirect with status %i', async (status) => {
    await using other = await startLoopback([]);
    const location = `${other.url}/elsewhere?token=query-secret-1`;
    await using server = await startLoopback([{ reply: { text: '', status, headers: { location } } }]);
    const failure = await failureOf(at(server.url));
    expect(failure).toMatchObject({
      kind: 'bad_response',
      status,
      message: expect.stringContaining(`a redirect to ${other.url}/elsewhere, which is not followed`),
    });
    expect(String(failure)).not.toContain('query-secret-1');
    expect(other.requests).toEqual([]);
  });

  test('does not repeat the password or the key in the address of a redirect', async () => {
    const location = 'http://user:pass-word-1@127.0.0.1:1/path?sig=query-secret-1#fragment-secret';
    await using server = await startLoopback([{ reply: { text: '', status: 307, headers: { location } } }]);
    const failure = String(await failureOf(at(server.url)));
    expect(failure).toContain('http://127.0.0.1:1/path,');
    expect(failure).not.toMatch(/user|pass-word-1|query-secret-1|fragment-secret/);
  });

  test.runIf(isTriedWithAll)(
    'reads no more than 50 MB of an answer that is not compressed, whatever it declares',
    async () => {
      const declared: Record<string, string>[] = [{}, { 'content-length': `${TOO_LONG.length}` }];
      for (const headers of declared) {
        await using server = await startLoopback([{ reply: { text: TOO_LONG, headers } }]);
        expect(await failureOf(at(server.url))).toMatchObject({ message: expect.stringContaining('more than 50 MB') });
      }
    },
  );

  const statuses = isTriedWithAll ? [200, 400] : [200];
  test.each(statuses)('reads no more than 50 MB of an answer with status %i, decompressed', async (status) => {
    const reply = { text: BOMB, status, headers: { 'content-encoding': 'gzip' } };
    await using server = await startLoopback([{ reply }]);
    expect(await failureOf(at(server.url))).toMatchObject({
      retryable: false,
      message: expect.stringContaining('more than 50 MB'),
    });
  });

  test('does not repeat the key or a header that the server echoes in an error', async () => {
    const message = `wrong key ${env.KEY} or header ${env.HEADER_KEY} of you`;
    await using server = await startLoopback([{ reply: { status: 400, json: { error: { message } } } }]);
    const failure = String(await failureOf(at(server.url)));
    expect(failure).toMatch(/wrong key \[REDACTED:\w+\] or header \[REDACTED:secret\] of you/);
  });

  test('does not send a password that is part of the address, and does not quote it', async () => {
    const failure = await failureOf(at('http://user:pass-word-1@127.0.0.1:1/v1'));
    expect(failure).toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('a user name or a password'),
    });
    expect(String(failure)).not.toContain('pass-word-1');
  });
});
