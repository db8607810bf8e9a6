import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed when it is JSON, otherwise the text. */
  body: unknown;
}

export type Reply =
  | { json: unknown; status?: number; headers?: Record<string, string> }
  | { text: string | Buffer; contentType?: string; status?: number; headers?: Record<string, string> }
  /** Promises more than it sends, then drops the connection. */
  | { cutAfter: string }
  /** Drops the connection before the first byte. */
  | 'reset'
  /** Accepts the request and never says anything. */
  | 'hang';

export interface Exchange {
  /** Throws when the request is not the one that was expected. */
  expect?: (request: ReceivedRequest) => void;
  reply: Reply;
}

export interface Loopback extends AsyncDisposable {
  url: string;
  requests: ReceivedRequest[];
}

/**
 * A real server on this machine that expects these requests in this order. Disposing of it fails the test when a
 * request was unexpected, was not as expected, or never came.
 */
export async function startLoopback(exchanges: Exchange[]): Promise<Loopback> {
  const expected = [...exchanges];
  const requests: ReceivedRequest[] = [];
  const problems: unknown[] = [];
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((problem: unknown) => {
      problems.push(problem);
      // A status that is not retried, so that the test ends at the first surprise.
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' });
      response.end(`the loopback server did not expect this: ${problem}`);
    });
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await receive(incoming);
    requests.push(request);
    const exchange = expected.shift();
    if (exchange === undefined) throw new Error(`unexpected request: ${request.method} ${request.path}`);
    exchange.expect?.(request);
    send(exchange.reply, incoming, response);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (problems.length > 0) throw problems[0];
      // The caller of a server that hangs may give up before its request is sent.
      const missing = expected.filter(({ reply }) => reply !== 'hang').length;
      if (missing > 0) throw new Error(`${missing} expected request(s) never came`);
    },
  };
}

export async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const { method = '', url: path = '', headers } = incoming;
  const body = await text(incoming);
  return { method, path, headers, body: headers['content-type']?.includes('json') ? JSON.parse(body) : body };
}

export function send(reply: Reply, incoming: IncomingMessage, response: ServerResponse): void {
  if (reply === 'hang') return;
  if (reply === 'reset') {
    incoming.socket.resetAndDestroy();
    return;
  }
  if ('cutAfter' in reply) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.cutAfter.length + 1000 });
    response.write(reply.cutAfter, () => incoming.socket.destroy());
    return;
  }
  const isJson = 'json' in reply;
  const type = isJson ? 'application/json' : (reply.contentType ?? 'text/html');
  response.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers });
  response.end(isJson ? JSON.stringify(reply.json) : reply.text);
}
