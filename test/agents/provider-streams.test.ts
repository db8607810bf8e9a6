import { Readable } from 'node:stream';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { LLMock } from '@copilotkit/aimock';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFunctionAdapter } from '../../packages/salvo/src/adapters/lazy-adapter.ts';
import type { AgentFunction } from '../../packages/salvo/src/index.ts';

// Responses and streams as the providers' own SDKs give them. The server speaks the formats of the providers.

const mock = new LLMock({ port: 0 });
const prompt = 'What is it?';
const messages = [{ role: 'user' as const, content: prompt }];

beforeAll(async () => {
  mock.on(
    { userMessage: prompt },
    { content: 'Let me look.', toolCalls: [{ id: 'c1', name: 'look', arguments: '{"at":"it"}' }] },
  );
  await mock.start();
});
afterAll(() => mock.stop());

const openai = () => new OpenAI({ apiKey: 'mock', baseURL: `${mock.url}/v1` });
const anthropic = () => new Anthropic({ apiKey: 'mock', baseURL: mock.url });
const gemini = () => new GoogleGenAI({ apiKey: 'mock', httpOptions: { baseUrl: mock.url } });
const chat = () =>
  new ChatOpenAI({ model: 'gpt-5-mini', apiKey: 'mock', configuration: { baseURL: `${mock.url}/v1` } });
const ofBedrock = { modelId: 'anthropic.claude', messages: [{ role: 'user' as const, content: [{ text: prompt }] }] };
const bedrock = () =>
  new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: mock.url,
    credentials: { accessKeyId: 'mock', secretAccessKey: 'mock' },
    requestHandler: { handle: overHttp1 },
  });

/** The SDK would use HTTP/2, which the server does not speak. */
async function overHttp1({ method, path, headers, body }: HttpRequest) {
  const { host: _, ...others } = headers;
  const answer = await fetch(`${mock.url}${path}`, { method, headers: others, body });
  const stream = answer.body && Readable.fromWeb(answer.body);
  return { response: { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body: stream } };
}

interface HttpRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

const AGENTS: Record<string, { whole: AgentFunction; stream: AgentFunction }> = {
  'chat completions of OpenAI': {
    whole: () => openai().chat.completions.create({ model: 'gpt-5-mini', messages }),
    stream: () =>
      openai().chat.completions.create({
        model: 'gpt-5-mini',
        messages,
        stream: true,
        stream_options: { include_usage: true },
      }),
  },
  'responses of OpenAI': {
    whole: () => openai().responses.create({ model: 'gpt-5-mini', input: prompt }),
    stream: () => openai().responses.create({ model: 'gpt-5-mini', input: prompt, stream: true }),
  },
  'messages of Anthropic': {
    whole: () => anthropic().messages.create({ model: 'claude-haiku-4-5', max_tokens: 100, messages }),
    stream: () => anthropic().messages.stream({ model: 'claude-haiku-4-5', max_tokens: 100, messages }),
  },
  'responses of Gemini': {
    whole: () => gemini().models.generateContent({ model: 'gemini-3-flash', contents: prompt }),
    stream: () => gemini().models.generateContentStream({ model: 'gemini-3-flash', contents: prompt }),
  },
  'messages of LangChain': {
    whole: () => chat().invoke(messages),
    stream: () => chat().stream(messages),
  },
  'responses of Bedrock': {
    whole: () => bedrock().send(new ConverseCommand(ofBedrock)),
    stream: () => bedrock().send(new ConverseStreamCommand(ofBedrock)),
  },
};

const read = (agent: AgentFunction) => createFunctionAdapter(agent).sendTurn(messages, [], { model: 'm' });

test.each(Object.keys(AGENTS))('%s say the same whole and as a stream', async (name) => {
  const agent = AGENTS[name];
  if (!agent) throw new Error(name);
  const { raw_response: _, ...whole } = await read(agent.whole);
  const { raw_response: __, ...stream } = await read(agent.stream);
  const calls = [{ ...whole.tool_calls[0], name: 'look', arguments: { at: 'it' } }];
  expect(whole).toMatchObject({ content: 'Let me look.', tool_calls: calls, finish_reason: 'tool_calls' });
  expect(whole.usage).toMatchObject({ input_tokens: expect.any(Number), output_tokens: expect.any(Number) });
  const said = stream.trace?.messages[0] ?? stream;
  expect(said).toMatchObject({ content: 'Let me look.', tool_calls: [{ name: 'look', arguments: { at: 'it' } }] });
  expect(stream.usage).toEqual(whole.usage);
});
