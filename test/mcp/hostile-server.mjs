// Speaks JSON-RPC without an SDK, and breaks its rules as its argument says.
import { createInterface } from 'node:readline';

const fault = process.argv[2];
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const TOOLS = [{ name: 'stock', inputSchema: { type: 'object' } }];

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') {
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    };
    send({ id, result: fault === 'no-capabilities' ? { capabilities: 7 } : result });
  } else if (method === 'tools/list') list(id);
  else if (method === 'tools/call') call(id);
});

function list(id) {
  if (fault === 'endless') send({ id, result: { tools: TOOLS, nextCursor: `${Math.random()}` } });
  else if (fault === 'many') {
    const tools = Array.from({ length: 10_000 }, (_, index) => ({ ...TOOLS[0], name: `stock_${index}` }));
    send({ id, result: { tools } });
  } else if (fault === 'list-of-nothing') send({ id, result: { tools: 'none' } });
  else send({ id, result: { tools: TOOLS } });
}

function call(id) {
  const result = { content: [{ type: 'text', text: '3 kettles' }] };
  if (fault === 'wrong-id') send({ id: 'other', result });
  if (fault === 'twice') send({ id, result });
  if (fault === 'garbage') process.stdout.write('{"jsonrpc":"2.0","id":1,"resu\n\u0000\u0001\n[[[[[[\n');
  if (fault === 'deep') process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${'['.repeat(100_000)}\n`);
  if (fault === 'asks') send({ id: 99, method: 'sampling/createMessage', params: {} });
  if (fault === 'error') return send({ id, error: { code: -32000, message: 'the shop is closed' } });
  if (fault === 'not-a-result') return send({ id, result: { content: 'none' } });
  if (fault === 'children') {
    import('node:child_process').then(({ spawn }) => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      send({ id, result: { content: [{ type: 'text', text: String(child.pid) }] } });
    });
    return;
  }
  if (fault === 'late') setTimeout(() => process.stdin.on('end', () => send({ id, result })), 0);
  send({ id, result });
}
