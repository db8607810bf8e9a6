// An MCP server for tests: a shop whose orders live as long as the process. What it does wrong is said by its argument.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const fault = process.argv[2] ?? '';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

if (fault === 'never') {
  console.error('cannot open the database');
  process.exit(7);
}
if (fault === 'silent') setInterval(() => {}, 1000);
else serve();

function serve() {
  const orders = new Map([
    ['A-1', { id: 'A-1', status: 'shipped' }],
    ['A-2', { id: 'A-2', status: 'open' }],
  ]);
  if (fault === 'noisy') console.log('Shop server is ready');
  serveStdio(
    () => {
      const server = new McpServer({ name: 'shop', version: '1.0.0' });
      const id = { inputSchema: z.object({ id: z.string() }) };
      const text = (value) => ({ content: [{ type: 'text', text: value }] });
      server.registerTool(
        'lookup_order',
        { ...id, description: 'Looks up an order.', annotations: { readOnlyHint: true } },
        (args) => {
          if (fault === 'dies') {
            console.error('Error: the database is gone');
            process.exit(3);
          }
          if (fault === 'hangs') return new Promise(() => {});
          if (fault === 'huge') return text('x'.repeat(40 * 1024 * 1024));
          const order = orders.get(args.id);
          return order
            ? { ...text(JSON.stringify(order)), structuredContent: order }
            : { ...text(`There is no order ${args.id}.`), isError: true };
        },
      );
      server.registerTool(
        'cancel_order',
        { ...id, description: 'Cancels an order.', annotations: { readOnlyHint: false } },
        (args) => {
          const order = orders.get(args.id);
          if (order) order.status = 'cancelled';
          return text(`pid ${process.pid}: ${order ? 'cancelled' : 'unknown'}`);
        },
      );
      server.registerTool('photo.of', { ...id, description: 'A photo.' }, () => ({
        content: [
          { type: 'text', text: 'The photo:' },
          { type: 'image', data: PIXEL, mimeType: 'image/png' },
        ],
      }));
      server.registerTool('stock', { description: 'What is in stock.' }, () => ({
        content: [],
        structuredContent: { kettles: 3 },
      }));
      server.registerResource('policy', 'shop://policy', { mimeType: 'text/plain' }, () => ({
        contents: [{ uri: 'shop://policy', text: 'Refunds within 30 days.' }],
      }));
      server.registerPrompt('greet', {}, () => ({
        messages: [{ role: 'user', content: { type: 'text', text: 'Greet me.' } }],
      }));
      server.registerPrompt('refund', { argsSchema: z.object({ id: z.string() }) }, ({ id: order }) => ({
        messages: [
          { role: 'user', content: { type: 'text', text: `My order is ${order}.` } },
          { role: 'assistant', content: { type: 'text', text: 'What shall I do?' } },
          { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
          { role: 'user', content: { type: 'text', text: `Refund ${order}.` } },
        ],
      }));
      server.registerPrompt('unasked', {}, () => ({
        messages: [{ role: 'assistant', content: { type: 'text', text: 'Hello.' } }],
      }));
      // What the program was given: its arguments, its folder and its variables.
      server.registerTool('inside', { description: 'What it was given.', annotations: { readOnlyHint: true } }, () =>
        text(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), env: process.env })),
      );
      return server;
    },
    fault === 'modern' ? { legacy: 'reject' } : {},
  );
}
