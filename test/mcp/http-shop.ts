import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

interface HttpShop extends AsyncDisposable {
  url: string;
  /** The Authorization headers of all requests. */
  authorizations: (string | undefined)[];
}

/** An MCP server behind a URL, which speaks all versions of the protocol. With `answer`, it answers with that alone. */
export async function startHttpShop(answer?: { status: number; location?: string }, listenAt = 0): Promise<HttpShop> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' });
    server.registerTool('stock', { description: 'What is in stock.' }, () => ({
      content: [{ type: 'text', text: '3 kettles' }],
    }));
    server.registerTool('who', { description: 'Who asks.' }, () => ({
      content: [{ type: 'text', text: `You are ${authorizations.at(-1)}.` }],
    }));
    return server;
  });
  const authorizations: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    authorizations.push(request.headers.authorization);
    if (answer) {
      response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end();
      return;
    }
    const body = Buffer.concat(await Array.fromAsync(request));
    const { method = 'GET', headers } = request;
    const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const asked = new Request(`http://127.0.0.1${request.url}`, {
      ...{ method, headers: given },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const answered = await handler.fetch(asked);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(listenAt, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    authorizations,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await handler.close();
    },
  };
}
