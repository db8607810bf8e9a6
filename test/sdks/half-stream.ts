import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The beginning of a streamed answer, in the events of each API. */
const BEGINNINGS: { path: RegExp; events: (text: string) => object[] }[] = [
  {
    path: /\/chat\/completions$/,
    events: (content) => [
      {
        ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o' },
        choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
      },
    ],
  },
  {
    path: /\/responses$/,
    events: (delta) => [
      {
        type: 'response.created',
        response: { id: 'r1', object: 'response', created_at: 1, model: 'gpt-4o', output: [], status: 'in_progress' },
      },
      {
        type: 'response.output_item.added',
        ...{ output_index: 0, item: { id: 'm1', type: 'message', role: 'assistant', content: [] } },
      },
      {
        type: 'response.content_part.added',
        ...{ item_id: 'm1', output_index: 0, content_index: 0, part: { type: 'output_text', text: '' } },
      },
      { type: 'response.output_text.delta', item_id: 'm1', output_index: 0, content_index: 0, delta },
    ],
  },
  {
    path: /:streamGenerateContent/,
    events: (text) => [{ candidates: [{ content: { role: 'model', parts: [{ text }] } }], modelVersion: 'gemini' }],
  },
  {
    path: /\/messages/,
    events: (text) => [
      {
        type: 'message_start',
        message: {
          ...{ id: 'm1', type: 'message', role: 'assistant', model: 'claude-haiku-4-5', content: [] },
          ...{ stop_reason: null, usage: { input_tokens: 1, output_tokens: 1 } },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    ],
  },
];

export interface HalfStream extends AsyncDisposable {
  url: string;
  /** Streams that nobody reads any more. */
  left(): number;
}

/** A model on this machine that begins to answer, and never ends. */
export async function startHalfStream(text: string): Promise<HalfStream> {
  let left = 0;
  const server = createServer((request, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const beginning = BEGINNINGS.find(({ path }) => path.test(pathname));
    request.resume();
    if (!beginning || request.method !== 'POST') return void response.writeHead(404).end();
    response.on('close', () => {
      left += 1;
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of beginning.events(text)) {
      const name = 'type' in event ? `event: ${event.type}\n` : '';
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    left: () => left,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
