import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { errorCode, errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { MAX_ANSWER_BYTES } from '../call/guarded-fetch.ts';

/** A server on this machine that only programs of this machine reach. */
export interface LoopbackServer {
  port: number;
  origin: string;
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface LoopbackOptions {
  /** 0 is any free one. */
  port: number;
  handle: Handler;
  /** Called when a client speaks HTTP/2 at once, as gRPC does. It is refused. */
  onHttp2: () => void;
}

export async function startLoopbackServer({ port, handle, onHttp2 }: LoopbackOptions): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    const answered = isForeign(request)
      ? refuse(response, 403, 'Only programs on this machine may use this address.')
      : handle(request, response);
    answered.catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, errorMessage(error)).catch(() => response.destroy());
    });
  });
  server.on('clientError', (error, socket) => {
    if (errorCode(error) === 'HPE_PAUSED_H2_UPGRADE') onHttp2();
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
  });
  // The model may take its time.
  server.requestTimeout = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', () => resolve());
  await promise.catch((cause: unknown) => {
    throw notListening(port, cause);
  });
  server.on('error', () => {});
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : port;
  return {
    port: own,
    origin: `http://127.0.0.1:${own}`,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

function notListening(port: number, cause: unknown): SalvoError {
  const isTaken = errorCode(cause) === 'EADDRINUSE';
  const problem = isTaken ? `the port ${port} is in use` : errorMessage(cause);
  const advice = isTaken ? ' End the program that uses it, or write another "port" into "observe" of the adapter.' : '';
  return new SalvoError('ADAPTER_NOT_READY', `The agent cannot be observed: ${problem}.${advice}`, { cause });
}

/** A page in a browser, which may send requests to this machine. */
function isForeign({ headers }: IncomingMessage): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return headers.origin !== undefined || !['127.0.0.1', 'localhost', '[::1]', 'host.docker.internal'].includes(host);
}

/** An error in the form that the SDKs of all providers read. */
export async function refuse(response: ServerResponse, status: number, message: string): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { type: 'salvo', message: `Salvo: ${message}` } }));
}

/** The body of a request; undefined if it is larger than allowed. Rejects if the sender breaks off. */
export async function bodyOf(
  request: IncomingMessage,
  most = MAX_ANSWER_BYTES,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    // The rest is read and dropped, so that the sender gets an answer.
    if (size <= most) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size <= most ? Buffer.concat(chunks) : undefined;
}
