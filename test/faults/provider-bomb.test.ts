import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { expect, test } from 'vitest';

const CLIENT = fileURLToPath(new URL('./bomb-client.ts', import.meta.url));
const GIGABYTE_IN_CHUNKS = 1024;
/** What an answer of 50 MB takes, with room for the garbage that the streams leave. */
const MOST_GROWTH_MB = 150;

/** 1 GB of blanks in 1 MB. */
function bomb(): Promise<Buffer> {
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  return buffer(Readable.from(Array.from({ length: GIGABYTE_IN_CHUNKS }, () => chunk)).pipe(createGzip()));
}

test.each([
  { type: 'openai' },
  { type: 'anthropic' },
  { type: 'ai-sdk', package: '@ai-sdk/openai-compatible' },
  { type: 'http' },
])('a gzip bomb of 1 GB stops the $type adapter at 50 MB', async (options) => {
  const body = await bomb();
  expect(body.length).toBeLessThan(2 * 1024 * 1024);
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(400).end('{}');
    else response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  try {
    const address = options.type === 'http' ? { url } : { base_url: url };
    const args = [CLIENT, JSON.stringify({ ...options, ...address, api_key_env: 'KEY' })];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { failure, grownMb } = JSON.parse(stdout);
    expect(failure).toContain('more than 50 MB');
    expect(grownMb).toBeLessThan(MOST_GROWTH_MB);
    expect(requests).toBe(2);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
