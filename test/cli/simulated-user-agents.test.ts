import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import { projectFixture } from '../project-fixture.ts';
import { salvo } from './cassette-fixture.ts';
import { documentOf } from './cli-fixture.ts';

const SCENARIO = `
name: cancel
trials: 2
adapter: mine
user: { goal: Cancel your order., facts: { order: W-2231 }, adapter: openai, model: user-model }
assertions:
  - { type: output_contains, value: Cancelled W-2231. }
`;
const SAID = ['I want to cancel my order.', 'It is W-2231.', '###STOP###'];

/** The model of the users, and that of the agent that is observed. */
function startModels() {
  return startAnsweringServer(({ body }) => {
    const { model, messages }: { model: string; messages: { role: string; content: string }[] } = Object(body);
    if (model === 'agent-model') return completion({ content: answerTo(messages.at(-1)?.content ?? '') });
    return completion({ content: SAID[messages.filter(({ role }) => role === 'assistant').length] ?? '###STOP###' });
  });
}

function answerTo(message: string): string {
  const [id] = message.match(/W-\d+/) ?? [];
  return id ? `Cancelled ${id}.` : 'Which order?';
}

const ANSWER_TO = `const answerTo = (message) => { const [id] = message.match(/W-\\d+/) ?? []; return id ? 'Cancelled ' + id + '.' : 'Which order?'; };`;

/** An agent on a server that knows a conversation by its id, which it gives itself if it gets none. */
async function startAgent(idOf: (body: Record<string, unknown>) => unknown, textOf: (body: object) => string) {
  const heard = new Map<unknown, string[]>();
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end();
    const body: Record<string, unknown> = Object(await json(request));
    const id = idOf(body) ?? `session ${heard.size + 1}`;
    const own = [...(heard.get(id) ?? []), textOf(body)];
    heard.set(id, own);
    const text = answerTo(own.at(-1) ?? '');
    const result = { kind: 'message', role: 'agent', contextId: id, parts: [{ kind: 'text', text }] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', result, reply: text }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: { port?: number } = Object(server.address());
  return { heard, url: `http://127.0.0.1:${port}` };
}

/** Runs two trials and checks that each is the whole conversation. */
async function converse(adapter: string, files: Record<string, string> = {}) {
  await using server = await startModels();
  await using folder = await projectFixture({
    'salvo.yaml': `adapters:\n  mine: ${adapter}\n`,
    's.yaml': SCENARIO,
    ...files,
  });
  const run = await salvo(folder, server, ['run', 's.yaml', '--json', '--retries', '0']);
  expect([run.code, run.stderr]).toEqual([0, expect.anything()]);
  expect(documentOf(run).scenarios[0]).toMatchObject({
    verdict: 'PASS',
    simulated_users: { trials: 2, broke_role: 0 },
  });
  const { stdout } = await salvo(folder, server, ['replay', 'cancel', '2', '--json']);
  const trace = JSON.parse(stdout);
  expect(trace).toMatchObject({ conversation_end: { by: 'user', messages: 2 }, simulated_user: { messages: 2 } });
  expect(trace.simulated_user).not.toHaveProperty('said');
  const texts = trace.messages.map(({ role, content, simulated }: Record<string, unknown>) => [
    role,
    content,
    simulated,
  ]);
  expect(texts).toEqual([
    ['user', SAID[0], true],
    ['assistant', 'Which order?', undefined],
    ['user', SAID[1], true],
    ['assistant', 'Cancelled W-2231.', undefined],
  ]);
  return trace;
}

test('a program that is started for each message', async () => {
  await converse('{ type: exec, command: [node, agent.mjs] }', {
    'agent.mjs': `import { json } from 'node:stream/consumers';
${ANSWER_TO}
const { messages } = await json(process.stdin);
console.log(JSON.stringify({ content: answerTo(messages.at(-1).content) }));`,
  });
});

test('a program that is kept for a conversation, and reports all of it', async () => {
  await converse('{ type: exec, command: [node, agent.mjs], keep: conversation }', {
    'agent.mjs': `import { createInterface } from 'node:readline';
${ANSWER_TO}
const messages = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { request_id, messages: given } = JSON.parse(line);
  const { role, content } = given.at(-1);
  messages.push({ role, content }, { role: 'assistant', content: answerTo(content) });
  console.log(JSON.stringify({ request_id, messages }));
}`,
  });
});

test('a module that reports its own messages', async () => {
  await converse('{ type: module, path: ./agent.mjs }', {
    'agent.mjs': `${ANSWER_TO}
export default ({ messages }) => [...messages, { role: 'assistant', content: answerTo(messages.at(-1).content) }];`,
  });
});

test('a server with sessions: each trial has one, for all of its messages', async () => {
  const { heard, url } = await startAgent(
    ({ session }) => session,
    (body) => String(Object(body).text),
  );
  await converse(
    `{ type: http, url: "${url}", request: { text: "{{message}}", session: "{{session}}" }, response: { text: reply } }`,
  );
  expect([...heard.values()]).toEqual([SAID.slice(0, 2), SAID.slice(0, 2)]);
});

test('an agent behind A2A: each trial has a context, for all of its messages', async () => {
  const messageOf = (body: object) => Object(Object(Object(body).params).message);
  const { heard, url } = await startAgent(
    (body) => messageOf(body).contextId,
    (body) => String(messageOf(body).parts[0].text),
  );
  await converse(`{ type: a2a, url: "${url}", stream: false }`);
  expect([...heard.values()]).toEqual([SAID.slice(0, 2), SAID.slice(0, 2)]);
});

test('a program whose model is observed', async () => {
  const trace = await converse('{ type: exec, command: [node, agent.mjs], env: [OPENAI_API_KEY], observe: model }', {
    'agent.mjs': `import { json } from 'node:stream/consumers';
const { messages } = await json(process.stdin);
const reply = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
  body: JSON.stringify({ model: 'agent-model', messages: messages.map(({ role, content }) => ({ role, content })) }),
});
const { choices } = await reply.json();
console.log(JSON.stringify({ content: choices[0].message.content }));`,
  });
  expect(trace.observed).toBeDefined();
});
