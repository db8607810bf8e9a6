import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { documentOf, runProgram } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const body =
  (text: string): Answer =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
const content = (message: unknown, usage: unknown = {}) =>
  body(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }));

const ATTACKS: [name: string, Answer][] = [
  ['never answers', () => {}],
  [
    'sends a blank now and then, without an end',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
  ],
  [
    'breaks off in the middle',
    (_, response) => void response.writeHead(200).write('{"choices":', () => response.destroy()),
  ],
  ['closes the connection at once', (request) => void request.socket.destroy()],
  ['redirects without an end', (request, response) => response.writeHead(307, { location: request.url ?? '/' }).end()],
  ['redirects to a file', (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()],
  ['is overloaded for ever', (_, response) => response.writeHead(429, { 'retry-after': '0' }).end('{}')],
  ['asks for a wait in the past', (_, response) => response.writeHead(503, { 'retry-after': '-5' }).end('{}')],
  ['answers with a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ['answers with nothing', body('')],
  ['answers with a list', body('[]')],
  ['answers with half a document', body('{"choices": [{"message"')],
  ['answers without choices', body('{"choices": []}')],
  ['nests its answer without an end', body('['.repeat(200_000))],
  ['gives a number as its text', content({ role: 'assistant', content: 42 })],
  ['gives tool calls of a wrong type', content({ role: 'assistant', content: null, tool_calls: 'all of them' })],
  [
    'says that its text is compressed',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no'),
  ],
];

test.each(ATTACKS)('a server that %s leaves its trials unscored, and does no other harm', async (_, answer) => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await using _server = {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const { port }: AddressInfo = Object(server.address());
  await using project = await projectFixture({
    'salvo.yaml': `adapters:\n  gpt: { type: openai, base_url: "http://127.0.0.1:${port}/v1", api_key_env: KEY, timeout_seconds: 1 }\n`,
    'hostile.yaml':
      'name: hostile\nadapter: gpt\nmodel: m\nprompt: Hi\nassertions: [{ type: output_not_contains, value: x }]\n',
    'fine.yaml':
      'name: fine\nadapter: scripted\nmodel: m\nprompt: Hi\nscript: [{ content: ok }]\nassertions: [{ type: output_contains, value: ok }]\n',
  });
  const run = await runProgram(['run', '.', '-n', '1', '--retries', '1', '--json'], {
    cwd: project.root,
    env: { KEY: 'the-key-of-the-user' },
  });
  expect(run.code).toBe(3);
  const document = documentOf(run);
  expect(document.scenarios.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['fine', 'PASS'],
    ['hostile', 'UNSCORED'],
  ]);
  expect(document.scenarios[1]?.trials_passed).toBe(0);
  expect(run.stdout + run.stderr).not.toMatch(/Internal error|the-key-of-the-user|root:/);
});
