import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ReceivedRequest, type Reply, receive, send } from './loopback-server.ts';

export interface AnsweringServer extends AsyncDisposable {
  url: string;
  /** Requests that have arrived. */
  requests(): number;
  /** Requests whose sender was gone before it had an answer. */
  unanswered(): number;
}

/** A real server on this machine that answers every request as the test says. `number` is 1 for the first request. */
export async function startAnsweringServer(
  answer: (request: ReceivedRequest, number: number) => Reply | Promise<Reply>,
): Promise<AnsweringServer> {
  let requests = 0;
  let unanswered = 0;
  const server = createServer((incoming, response) => {
    const number = ++requests;
    response.on('close', () => {
      if (!response.writableFinished) unanswered += 1;
    });
    receive(incoming)
      .then((request) => answer(request, number))
      .then((reply) => send(reply, incoming, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    unanswered: () => unanswered,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
