import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { tool as langChainTool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { Agent, tool as agentsTool, OpenAIChatCompletionsModel, run, setTracingDisabled } from '@openai/agents';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AgentFunction, AgentTask } from '../../packages/salvo/src/adapters/agent/agent-function.ts';
import { runScenario } from '../../packages/salvo/src/app/runs/run-scenario.ts';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import type { ReceivedRequest, Reply } from '../loopback/loopback-server.ts';

setTracingDisabled(true);

/** Two turns. In the first, the agent looks up an order; in the second, it needs what it found. */
const scenario = {
  name: 'two-turns',
  system_prompt: 'Be brief.',
  messages: [
    { role: 'user' as const, content: 'Where is A-1?' },
    { role: 'user' as const, content: 'And when did it leave?' },
  ],
  trials: 1,
  tools: [
    {
      name: 'lookup_order',
      description: 'Looks up an order',
      parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      mock_response: 'left on Monday',
    },
  ],
  assertions: [
    { type: 'tool_called' as const, tool: 'lookup_order', arguments: { id: 'A-1' } },
    { type: 'output_contains' as const, value: 'Monday' },
  ],
};

const completion = (id: string, message: object, finish_reason: string): Reply => ({
  json: {
    ...{ id, object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason, logprobs: null }],
    usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
  },
});

/** A model with the API of OpenAI: it calls the tool for the first question, and reads the earlier result for the second. */
async function startModel() {
  const bodies: { messages: { role: string; content: unknown }[] }[] = [];
  const server = await startAnsweringServer(({ path, body }: ReceivedRequest, number) => {
    if (!path.endsWith('/chat/completions')) throw new Error(`An unexpected request: ${path}`);
    const request = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });
    const { messages } = request.parse(body);
    bodies.push({ messages: messages.map(({ role, content }) => ({ role, content })) });
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
    if (results.length === 0) {
      const lookup = { name: 'lookup_order', arguments: '{"id":"A-1"}' };
      const call = { id: 'call_1', type: 'function', function: lookup };
      return completion(`chat-${number}`, { content: null, tool_calls: [call] }, 'tool_calls');
    }
    const known = results.some((result) => result.includes('left on Monday'));
    return completion(`chat-${number}`, { content: known ? 'It left on Monday.' : 'I do not know.' }, 'stop');
  });
  return Object.assign(server, { bodies });
}

const AGENTS: Record<string, (url: string) => AgentFunction> = {
  'Vercel AI SDK': (baseURL) => {
    const model = createOpenAICompatible({ name: 'loopback', baseURL })('m');
    return (task) =>
      generateText({
        model,
        ...(task.system !== undefined && { instructions: task.system }),
        messages: task.messagesAs('ai-sdk'),
        tools: Object.fromEntries(
          task.tools.map(({ name, description, parameters }) => [
            name,
            tool({
              description,
              inputSchema: jsonSchema<Record<string, unknown>>(parameters),
              execute: async (input) => (await task.callTool(name, input)).content,
            }),
          ]),
        ),
        stopWhen: stepCountIs(5),
      });
  },
  'OpenAI Agents SDK': (baseURL) => async (task) => {
    const client = new OpenAI({ baseURL, apiKey: 'none' });
    const tools = task.tools.map(({ name, description }) =>
      agentsTool({
        name,
        description,
        parameters: z.object({ id: z.string() }),
        execute: async (input) => (await task.callTool(name, input)).content,
      }),
    );
    const agent = new Agent({ name: 'support', model: new OpenAIChatCompletionsModel(client, 'm'), tools });
    const result = await run(agent, task.messagesAs('openai-agents'));
    return { messages: result.history };
  },
  LangGraph: (baseURL) => async (task) => {
    const llm = new ChatOpenAI({ model: 'm', apiKey: 'none', configuration: { baseURL } });
    const tools = task.tools.map(({ name, description }) =>
      langChainTool(async (input) => (await task.callTool(name, Object(input))).content, {
        name,
        description,
        schema: z.object({ id: z.string() }),
      }),
    );
    return createReactAgent({ llm, tools }).invoke({ messages: task.messagesAs('langchain') });
  },
  Mastra: (baseURL) => async (task) => {
    const tools = Object.fromEntries(
      task.tools.map(({ name, description }) => [
        name,
        createTool({
          id: name,
          description,
          inputSchema: z.object({ id: z.string() }),
          execute: async (input) => (await task.callTool(name, Object(input))).content,
        }),
      ]),
    );
    const model = { id: 'loopback/m' as const, url: baseURL, apiKey: 'none' };
    const agent = new MastraAgent({ id: 'support', name: 'support', instructions: task.system ?? '', model, tools });
    const { response, totalUsage } = await agent.generate(task.messagesAs('ai-sdk'));
    return JSON.parse(JSON.stringify({ response, totalUsage }));
  },
};

test.each(Object.keys(AGENTS))('%s understands its own tool call of the turn before', async (name) => {
  await using model = await startModel();
  const { trials } = await runScenario({ scenario, agent: AGENTS[name]?.(`${model.url}/v1`) });
  expect(trials.map(({ status, error_message }) => ({ status, error_message }))).toEqual([
    { status: 'passed', error_message: null },
  ]);
  const last = model.bodies.at(-1)?.messages.map(({ role }) => role);
  expect(last).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
});

/** What an agent in the second turn would send by the SDKs of models. */
async function secondTask(): Promise<AgentTask> {
  const tasks: AgentTask[] = [];
  const agent: AgentFunction = (task) => {
    tasks.push(task);
    const call = { id: 'call:1', name: 'lookup_order', arguments: { id: 'A-1' } };
    const result = { role: 'tool_result' as const, tool_call_id: 'call:1', name: 'lookup_order', content: 'gone' };
    return {
      messages: [
        { role: 'assistant' as const, content: 'Let me look.', tool_calls: [call] },
        { ...result, is_error: true },
        { role: 'assistant' as const, content: 'It is gone.', tool_calls: [] },
      ],
    };
  };
  await runScenario({ scenario, agent });
  const [, second] = tasks;
  if (!second) throw new Error('The agent was not asked twice.');
  return second;
}

async function sentBy(ask: (url: string, task: AgentTask) => Promise<unknown>): Promise<unknown> {
  let sent: unknown;
  await using server = await startAnsweringServer(({ body }) => {
    sent = body;
    return { status: 400, json: { error: { message: 'seen' } } };
  });
  await ask(server.url, await secondTask()).catch(() => {});
  return sent;
}

const call = { name: 'lookup_order', arguments: '{"id":"A-1"}' };

test('OpenAI receives chat messages', async () => {
  const sent = await sentBy((baseURL, task) =>
    new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 }).chat.completions.create({
      model: 'm',
      messages: task.messagesAs('openai'),
    }),
  );
  expect(sent).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Where is A-1?' },
      { role: 'assistant', content: 'Let me look.', tool_calls: [{ id: 'call:1', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'call:1', content: 'gone' },
      { role: 'assistant', content: 'It is gone.' },
      { role: 'user', content: 'And when did it leave?' },
    ],
  });
});

test("OpenAI's Responses API receives items", async () => {
  const sent = await sentBy((baseURL, task) =>
    new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 }).responses.create({
      model: 'm',
      input: task.messagesAs('responses'),
    }),
  );
  expect(sent).toMatchObject({
    input: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Where is A-1?' },
      { role: 'assistant', content: 'Let me look.' },
      { type: 'function_call', call_id: 'call:1', ...call },
      { type: 'function_call_output', call_id: 'call:1', output: 'gone' },
      { role: 'assistant', content: 'It is gone.' },
      { role: 'user', content: 'And when did it leave?' },
    ],
  });
});

test('Anthropic receives blocks, with ids that it allows', async () => {
  const sent = await sentBy((baseURL, task) =>
    new Anthropic({ baseURL, apiKey: 'none', maxRetries: 0 }).messages.create({
      model: 'm',
      max_tokens: 10,
      ...(task.system !== undefined && { system: task.system }),
      messages: task.messagesAs('anthropic'),
    }),
  );
  expect(sent).toMatchObject({
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Where is A-1?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'call_1', name: 'lookup_order', input: { id: 'A-1' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'gone', is_error: true }] },
      { role: 'assistant', content: [{ type: 'text', text: 'It is gone.' }] },
      { role: 'user', content: 'And when did it leave?' },
    ],
  });
});

test('Gemini receives contents of alternating roles', async () => {
  const sent = await sentBy((baseUrl, task) =>
    new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } }).models.generateContent({
      model: 'm',
      contents: task.messagesAs('gemini'),
      config: { ...(task.system !== undefined && { systemInstruction: task.system }) },
    }),
  );
  expect(sent).toMatchObject({
    contents: [
      { role: 'user', parts: [{ text: 'Where is A-1?' }] },
      {
        role: 'model',
        parts: [{ text: 'Let me look.' }, { functionCall: { name: 'lookup_order', args: { id: 'A-1' } } }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'lookup_order', response: { error: 'gone' } } }] },
      { role: 'model', parts: [{ text: 'It is gone.' }] },
      { role: 'user', parts: [{ text: 'And when did it leave?' }] },
    ],
  });
});

test('Bedrock receives messages of the Converse API', async () => {
  const sent = Promise.withResolvers<unknown>();
  // The SDK speaks HTTP/2.
  const server = createServer(async (request, response) => {
    sent.resolve(JSON.parse(await text(request)));
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"seen"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new BedrockRuntimeClient({ region: 'us-east-1', endpoint, credentials, maxAttempts: 1 });
  const task = await secondTask();
  const system = task.system === undefined ? [] : [{ text: task.system }];
  const asked = client.send(new ConverseCommand({ modelId: 'm', system, messages: task.messagesAs('bedrock') }));
  await expect(asked).rejects.toThrow('seen');
  client.destroy();
  server.close();
  expect(await sent.promise).toMatchObject({
    system: [{ text: 'Be brief.' }],
    messages: [
      { role: 'user', content: [{ text: 'Where is A-1?' }] },
      {
        role: 'assistant',
        content: [
          { text: 'Let me look.' },
          { toolUse: { toolUseId: 'call_1', name: 'lookup_order', input: { id: 'A-1' } } },
        ],
      },
      {
        role: 'user',
        content: [{ toolResult: { toolUseId: 'call_1', content: [{ text: 'gone' }], status: 'error' } }],
      },
      { role: 'assistant', content: [{ text: 'It is gone.' }] },
      { role: 'user', content: [{ text: 'And when did it leave?' }] },
    ],
  });
});

test('a form that does not exist is refused with the list of those that do', async () => {
  const agent: AgentFunction = (task) => JSON.stringify(Reflect.apply(task.messagesAs, task, ['smolagents']));
  const { trials } = await runScenario({ scenario, agent });
  expect(trials).toMatchObject([
    { status: 'unscored', error_message: expect.stringMatching(/asked for messages as "smolagents".*ai-sdk, openai/) },
  ]);
});
