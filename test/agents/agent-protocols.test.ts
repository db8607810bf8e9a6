import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { A2AMock, AGUIMock } from '@copilotkit/aimock';
import { expect, onTestFinished, test } from 'vitest';
import { createA2aAdapter } from '../../packages/salvo/src/adapters/a2a/a2a.ts';
import type { AdapterConfig } from '../../packages/salvo/src/adapters/adapter.ts';
import type { OptionsOf } from '../../packages/salvo/src/adapters/adapter-options-schema.ts';
import { createAgUiAdapter } from '../../packages/salvo/src/adapters/ag-ui/ag-ui.ts';
import type { Message } from '../../packages/salvo/src/trace/message.ts';

const CONTEXT = { root: '/', adapters: {}, env: {} };
const user = (content: string): Message => ({ role: 'user', content });
const CONFIG: AdapterConfig = { model: 'm', conversation: { id: 'trial-1', seed: 1, trialNumber: 1, request: 0 } };
const TOOLS = [{ name: 'look', description: '', parameters: { type: 'object' } }];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: { port?: number } = Object(server.address());
  return `http://127.0.0.1:${port}`;
}

function a2a(options: Partial<OptionsOf<'a2a'>> & { url: string }) {
  const adapter = createA2aAdapter({ type: 'a2a', ...options }, CONTEXT);
  return (text: string, config = CONFIG) => adapter.sendTurn([user(text)], [], config);
}

function agUi(options: Partial<OptionsOf<'ag-ui'>> & { url: string }) {
  const adapter = createAgUiAdapter({ type: 'ag-ui', ...options }, CONTEXT);
  return (messages: string | Message[], config = CONFIG) =>
    adapter.sendTurn(typeof messages === 'string' ? [user(messages)] : messages, TOOLS, config);
}

async function mockedA2a() {
  const mock = new A2AMock();
  mock.registerAgent({ name: 'shop', capabilities: { streaming: true } });
  const url = await mock.start();
  onTestFinished(() => mock.stop());
  return { mock, url };
}

test('A2A 1.0: messages, tasks and streams of tasks are read, as text', async () => {
  const { mock, url } = await mockedA2a();
  const parts = [{ text: 'Order ' }, { data: { id: 1 } }, { url: 'https://x/report.pdf' }];
  mock.onMessage('shop', 'hello', [{ text: 'Hi.' }]).onTask('shop', 'order', [{ parts }]);
  mock.onStreamingTask('shop', 'slow', [
    { type: 'status', state: 'TASK_STATE_WORKING' },
    { type: 'artifact', name: 'a', parts: [{ text: 'Sh' }] },
    { type: 'artifact', name: 'a', parts: [{ text: 'ipped.' }], append: true },
    { type: 'status', state: 'TASK_STATE_COMPLETED' },
  ]);
  const ask = a2a({ url, stream: false });
  expect(await ask('hello')).toMatchObject({ content: 'Hi.', tools_reported: 'text' });
  expect((await ask('order')).content).toBe('Order {"id":1}[file: https://x/report.pdf]');
  expect((await a2a({ url })('slow')).content).toBe('Shipped.');
  await expect(ask('unknown')).rejects.toThrow(/reported an error: No matching pattern for message \(-32000\)/);
});

/** An agent of A2A 0.3 that answers each call by the next of these results. */
async function firstVersion(results: readonly unknown[], card: Record<string, unknown> | null = {}) {
  const calls: { method?: string; params?: { message?: Record<string, unknown> } }[] = [];
  const url = await serve(async (request, response) => {
    const host = `http://${request.headers.host}`;
    if (request.method === 'GET') {
      const isCard = request.url === '/.well-known/agent-card.json' && card !== null;
      response
        .writeHead(isCard ? 200 : 404)
        .end(JSON.stringify({ url: `${host}/rpc`, protocolVersion: '0.3.0', ...card }));
      return;
    }
    calls.push(Object(await json(request)));
    const result = results[calls.length - 1];
    if (result === undefined) throw new Error(`call ${calls.length} was not expected`);
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...Object(result) }));
  });
  return { url, calls };
}

const status = (state: string, text?: string) => ({
  state,
  ...(text && { message: { kind: 'message', role: 'agent', parts: [{ kind: 'text', text }] } }),
});

test('A2A 0.3: a task is followed to its end, and one that asks goes on with the next turn', async () => {
  const task = { kind: 'task', id: 'T', contextId: 'C' };
  const { url, calls } = await firstVersion([
    { result: { ...task, status: status('submitted') } },
    { result: { ...task, status: status('working') } },
    { result: { ...task, status: status('input-required', 'Which order?') } },
    {
      result: {
        ...task,
        status: status('completed'),
        artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'Done.' }] }],
      },
    },
    { result: { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'Bye.' }] } },
  ]);
  const ask = a2a({ url });
  expect((await ask('Where is it?')).content).toBe('Which order?');
  expect((await ask('A-1')).content).toBe('Done.');
  expect((await ask('Thanks')).content).toBe('Bye.');
  expect(calls.map(({ method }) => method)).toEqual([
    'message/send',
    'tasks/get',
    'tasks/get',
    'message/send',
    'message/send',
  ]);
  const [first, , , second, third] = calls.map(({ params }) => params?.message);
  expect(first).toMatchObject({ role: 'user', kind: 'message', parts: [{ kind: 'text', text: 'Where is it?' }] });
  expect(first).not.toHaveProperty('taskId');
  expect(second).toMatchObject({ taskId: 'T', contextId: 'C', parts: [{ text: 'A-1' }] });
  expect(third).toMatchObject({ contextId: 'C' });
  expect(third).not.toHaveProperty('taskId');
});

test('A2A: the agent is sent what it does not know yet: history, system prompt and files, once', async () => {
  const task = { kind: 'task', id: 'T', contextId: 'C' };
  const done = (text: string) => ({
    result: { ...task, status: status('completed'), artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text }] }] },
  });
  const { url, calls } = await firstVersion([done('Shipped.'), done('Tomorrow.')]);
  const adapter = createA2aAdapter({ type: 'a2a', url }, CONTEXT);
  const file = { media_type: 'image/png', bytes: 3, sha256: 'aa', data: 'QUJD', name: 'box.png' };
  const call = { id: 'c', name: 'look', arguments: { id: 1 } };
  const history: Message[] = [
    { role: 'system', content: 'Be short.' },
    user('Hello'),
    { role: 'assistant', content: 'How can I help?', tool_calls: [call] },
    { role: 'tool_result', tool_call_id: 'c', name: 'look', content: 'found', is_error: false },
    { role: 'assistant', content: 'I see.', tool_calls: [] },
    { role: 'user', content: 'Where is it?', files: [file] },
  ];
  await adapter.sendTurn(history, [], CONFIG);
  await adapter.sendTurn(
    [...history, { role: 'assistant', content: 'Shipped.', tool_calls: [] }, user('When?')],
    [],
    CONFIG,
  );
  const [first, second] = calls.map(({ params }) => params?.message);
  expect(first?.parts).toEqual([
    {
      kind: 'text',
      text: 'System: Be short.\n\nEarlier in this conversation:\nUser: Hello\nAgent: How can I help?\nAgent calls look: {"id":1}\nResult of look: found\nAgent: I see.\n\nWhere is it?',
    },
    { kind: 'file', file: { bytes: 'QUJD', mimeType: 'image/png', name: 'box.png' } },
  ]);
  expect(second).toMatchObject({ contextId: 'C', referenceTaskIds: ['T'], parts: [{ kind: 'text', text: 'When?' }] });
  expect(second?.parts).toHaveLength(1);
});

test('A2A without a card: the address is the agent', async () => {
  const { url } = await firstVersion([{ result: { kind: 'message', parts: [{ kind: 'text', text: 'Hi.' }] } }], null);
  expect((await a2a({ url })('Hi')).content).toBe('Hi.');
});

test.each([
  [
    'a failed task',
    [{ result: { kind: 'task', id: 'T', status: status('failed', 'No stock') } }],
    {},
    { kind: 'crashed', message: /failed at its task: No stock/ },
  ],
  [
    'a canceled task',
    [{ result: { kind: 'task', id: 'T', status: status('canceled') } }],
    {},
    { kind: 'bad_response', message: /canceled its task\./ },
  ],
  [
    'a login',
    [{ result: { kind: 'task', id: 'T', status: status('auth-required') } }],
    {},
    { kind: 'auth', message: /wants the user to log in/ },
  ],
  [
    'an error',
    [{ error: { code: -32603, message: 'Internal' } }],
    {},
    { kind: 'bad_response', message: /Internal \(-32603\)/ },
  ],
  ['something else', [{ result: { foo: 1 } }], {}, { kind: 'bad_response', message: /no answer of A2A: .*"foo":1/ }],
  ['no result', [{ result: null }], {}, { kind: 'bad_response', message: /no answer of A2A/ }],
  [
    'a task without an id',
    [{ result: { kind: 'task', status: status('working') } }],
    {},
    { kind: 'bad_response', message: /neither a message nor a task/ },
  ],
  [
    'a card with another server',
    [],
    { url: 'https://evil.example/rpc' },
    { kind: 'bad_request', message: /names another server, https:\/\/evil\.example\/rpc/ },
  ],
  [
    'a card without JSON-RPC',
    [],
    { preferredTransport: 'GRPC' },
    { kind: 'bad_request', message: /offers no JSON-RPC, but GRPC/ },
  ],
])('A2A: %s is an error that says so', async (_, results, card, { kind, message }) => {
  const { url } = await firstVersion(results, card);
  await expect(a2a({ url })('Hi')).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
});

test('A2A: a task that never ends is given up with the time of the request', async () => {
  const working = { result: { kind: 'task', id: 'T', status: status('working') } };
  const { url } = await firstVersion(Array.from({ length: 1000 }, () => working));
  await expect(a2a({ url, timeout_seconds: 0.2 })('Hi')).rejects.toThrow(/did not answer within 0\.2 s/);
});

async function mockedAgUi() {
  const mock = new AGUIMock();
  const url = await mock.start();
  onTestFinished(() => mock.stop());
  return { mock, url };
}

test('AG-UI: text, reasoning, and calls that the agent made itself', async () => {
  const { mock, url } = await mockedAgUi();
  mock
    .onMessage('hello', 'Hi there.')
    .onReasoning('think', 'Hm.')
    .onToolCall('order', 'look', '{"id":1}', { result: 'shipped' });
  const ask = agUi({ url });
  expect((await ask('hello')).content).toBe('Hi there.');
  expect(await ask('think')).toMatchObject({ reasoning: 'Hm.' });
  expect((await ask('order')).messages).toMatchObject([
    { role: 'assistant', tool_calls: [{ name: 'look', arguments: { id: 1 } }] },
    { role: 'tool_result', name: 'look', content: 'shipped' },
  ]);
  await expect(ask('unknown')).rejects.toThrow(/status 404: No matching AG-UI fixture/);
});

test('AG-UI: a call without a result is answered by Salvo, and the agent goes on in another run', async () => {
  const { mock, url } = await mockedAgUi();
  mock.onToolCall('order', 'look', '{"id":1}');
  const ask = agUi({ url });
  const { tool_calls } = await ask('order');
  expect(tool_calls).toMatchObject([{ name: 'look', arguments: { id: 1 } }]);
  const [call] = tool_calls;
  if (!call) throw new Error('no call');
  mock.reset().onToolResult(call.id, [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'It was ' },
    { type: 'TEXT_MESSAGE_CHUNK', delta: 'shipped.' },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r', usage: [{ model: 'gpt-4o', inputTokens: 9, outputTokens: 4 }] },
  ]);
  const answered = await ask([
    user('order'),
    { role: 'assistant', content: null, tool_calls },
    { role: 'tool_result', tool_call_id: call.id, name: 'look', content: 'shipped', is_error: false },
  ]);
  expect(answered).toMatchObject({
    content: 'It was shipped.',
    model: 'gpt-4o',
    usage: { input_tokens: 9, output_tokens: 4 },
  });
});

/** An agent of AG-UI that answers each run by the next list of events. */
async function runs(answers: readonly (readonly unknown[])[]) {
  const inputs: Record<string, unknown>[] = [];
  const url = await serve(async (request, response) => {
    inputs.push(Object(await json(request)));
    const events = answers[inputs.length - 1];
    if (!events) throw new Error(`run ${inputs.length} was not expected`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // Not ended: the end of the run is its last event.
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
    if (events.at(-1) === 'end') response.end();
  });
  return { url, inputs };
}

test('AG-UI: the state of a conversation goes with it, changed by snapshots and patches', async () => {
  const finished = { type: 'RUN_FINISHED' };
  const text = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'ok' };
  const { url, inputs } = await runs([
    [{ type: 'STATE_DELTA', delta: [{ op: 'add', path: '/cart', value: ['a'] }] }, text, finished],
    [{ type: 'STATE_SNAPSHOT', snapshot: { cart: [] } }, text, finished],
    [text, finished],
    [text, finished],
  ]);
  const ask = agUi({ url, state: { shop: 1 } });
  for (let turn = 0; turn < 3; turn += 1) await ask('Hi');
  await ask('Hi', { model: 'm', conversation: { id: 'trial-2', seed: 1, trialNumber: 2, request: 0 } });
  expect(inputs.map(({ state }) => state)).toEqual([{ shop: 1 }, { shop: 1, cart: ['a'] }, { cart: [] }, { shop: 1 }]);
  expect(inputs[0]).toMatchObject({ threadId: 'trial-1', tools: TOOLS, messages: [{ role: 'user', content: 'Hi' }] });
});

test('AG-UI: an agent that sends only its messages is read from them', async () => {
  const messages = [
    { id: '1', role: 'user', content: 'Hi' },
    {
      id: '2',
      role: 'assistant',
      toolCalls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { id: '3', role: 'tool', toolCallId: 'c', content: 'shipped' },
    { id: '4', role: 'assistant', content: 'Shipped.' },
  ];
  const { url } = await runs([[{ type: 'MESSAGES_SNAPSHOT', messages }, { type: 'RUN_FINISHED' }]]);
  expect((await agUi({ url })('Hi')).messages).toMatchObject([
    { tool_calls: [{ name: 'look' }] },
    { role: 'tool_result', content: 'shipped' },
    { content: 'Shipped.' },
  ]);
});

test.each([
  [
    'an error',
    [{ type: 'RUN_ERROR', message: 'Out of tokens', code: 'LIMIT' }],
    /reported an error: Out of tokens \(LIMIT\)/,
  ],
  [
    'a stream without an end',
    [{ type: 'RUN_STARTED' }, { type: 'TEXT_MESSAGE_CHUNK', delta: 'a' }, 'end'],
    /event without a type: end/,
  ],
  ['no events', ['end'], /an event without a type/],
  [
    'a result of no call',
    [{ type: 'TOOL_CALL_RESULT', toolCallId: 'x', content: 'a' }],
    /a tool call that has not begun/,
  ],
  [
    'a wrong patch',
    [{ type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/x' }] }],
    /a change of its state: the operation .* cannot be applied/,
  ],
  [
    'a person',
    [{ type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ id: '1', reason: 'approve' }] } }],
    /waits for a person/,
  ],
])('AG-UI: %s is an error that says so', async (_, events, message) => {
  const { url } = await runs([events]);
  await expect(agUi({ url })('Hi')).rejects.toThrow(message);
});

test('AG-UI: an answer that is no stream, and a stream that breaks off, are errors with what came', async () => {
  const page = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in'),
  );
  await expect(agUi({ url: page })('Hi')).rejects.toThrow(/answered with text\/html: <html>Sign in/);
  const cut = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"type":"RUN_STARTED"}\n\n'),
  );
  await expect(agUi({ url: cut })('Hi')).rejects.toThrow(/broke off: its events have no RUN_FINISHED/);
});

test('AG-UI: a run that never ends is given up, with the number of its events and what was said', async () => {
  const { url } = await runs([
    [{ type: 'RUN_STARTED' }, { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Well' }],
  ]);
  const chunks: string[] = [];
  const config = { ...CONFIG, chunk: (json: string) => chunks.push(json) };
  await expect(agUi({ url, timeout_seconds: 0.3 })('Hi', config)).rejects.toThrow(
    /did not end its stream \(2 events came\) within 0\.3 s/,
  );
  expect(chunks).toEqual(['"Well"']);
});
