import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { AdapterConfig, ToolDefinition } from '../adapter.ts';
import { createLlamaAdapter } from './llama.ts';

/** Replaces node-llama-cpp: records its requests, and answers as the test says in `globalThis`. A word is a token. */
const FAKE_LIBRARY = `
  export const asked = (globalThis.salvoLlamaAsked = []);
  export async function getLlama(options) {
    asked.push(['getLlama', options]);
    return {
      async loadModel() {
        asked.push(['loadModel']);
        return {
          createEmbeddingContext: async (options) => {
            asked.push(['createEmbeddingContext', options]);
            return { getEmbeddingFor: async (text) => ({ vector: globalThis.salvoLlamaAnswer(text) }) };
          },
          tokenize: (text) => text.split(' '),
          createContext: async (options) => {
          asked.push(['createContext', options]);
          return { getSequence: () => ({
            tokenMeter: { usedInputTokens: 0, usedOutputTokens: 0 },
            context: { contextSize: options.contextSize ?? 4096 },
            model: { tokenizer: (text) => text.match(/\\S+/g) ?? [] },
            clearHistory: async () => asked.push(['clear']),
            evaluateWithoutGeneratingNewTokens: async (tokens) => {
              asked.push(['evaluate', tokens.length]);
              await globalThis.salvoLlamaEvaluating?.();
            },
          }) };
        } };
      },
      createGrammarForJsonSchema: async (schema) => ({ schema }),
      dispose: async () => asked.push(['dispose']),
      cpuMathCores: 64,
    };
  }
  export class LlamaChat {
    constructor({ contextSequence }) { this.sequence = contextSequence; }
    chatWrapper = {
      generateContextState: ({ chatHistory, availableFunctions }) => ({
        contextText: { tokenize: (split) => split([
          ...chatHistory.map(({ text = '' }) => text),
          ...Object.values(availableFunctions ?? {}).map(({ description }) => description),
        ].join(' ')) },
      }),
    };
    async generateResponse(history, options) {
      asked.push(['generate', history, options]);
      this.sequence.tokenMeter.usedInputTokens += 10;
      this.sequence.tokenMeter.usedOutputTokens += 4;
      return globalThis.salvoLlamaAnswer(options);
    }
    dispose() {}
  }
`;

interface Asked {
  of(kind: string): unknown[][];
}

function project(
  answer: (options: { signal: AbortSignal }) => unknown,
  options: { max_concurrency?: number; timeout_seconds?: number; context_size?: number; threads?: number } = {},
) {
  const root = temporaryFolder();
  const folder = join(root, 'node_modules', 'node-llama-cpp');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'tiny.gguf'), '');
  writeFileSync(join(folder, 'package.json'), '{"name":"node-llama-cpp","type":"module","exports":"./index.js"}');
  writeFileSync(join(folder, 'index.js'), FAKE_LIBRARY);
  Object.assign(globalThis, { salvoLlamaAnswer: answer });
  const adapter = createLlamaAdapter(
    { type: 'llama', model_path: 'tiny.gguf', gpu: false, ...options },
    { root, adapters: {}, env: {} },
  );
  const asked: Asked = {
    of: (kind) => (Reflect.get(globalThis, 'salvoLlamaAsked') ?? []).filter(([name]: [string]) => name === kind),
  };
  return {
    asked,
    adapter,
    ask: (config: Partial<AdapterConfig> = {}, prompt = 'Hi') =>
      adapter.sendTurn([{ role: 'user', content: prompt }], tools, { model: 'tiny', ...config }),
  };
}

const tools: ToolDefinition[] = [
  {
    name: 'weather',
    description: 'The weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, day: { type: 'string' } },
      required: ['city'],
    },
  },
  { name: 'time', description: '', parameters: { type: 'object', properties: {} } },
];
const says =
  (response: string, stopReason = 'eogToken') =>
  () => ({ response, functionCalls: [], metadata: { stopReason } });

test('text is returned with its tokens', async () => {
  const { ask, asked } = project(says('Hello'));
  expect(await ask({ temperature: 0.5, maxTokens: 9, extras: { top_k: 3 } })).toMatchObject({
    content: 'Hello',
    tool_calls: [],
    finish_reason: 'stop',
    usage: { input_tokens: 10, output_tokens: 4 },
    cost_usd: 0,
  });
  expect(asked.of('generate')).toMatchObject([
    [
      'generate',
      [
        { type: 'user', text: 'Hi' },
        { type: 'model', response: [] },
      ],
      {
        temperature: 0.5,
        maxTokens: 9,
        topK: 3,
        functions: { weather: { description: 'The weather' }, time: { description: '' } },
      },
    ],
  ]);
});

test("the model's calls are returned unexecuted, without the properties it left out", async () => {
  const { ask } = project(() => ({
    response: '',
    functionCalls: [
      { functionName: 'weather', params: { city: 'Bonn', day: null }, raw: ['x'] },
      { functionName: 'time', params: undefined },
    ],
    metadata: { stopReason: 'functionCalls' },
  }));
  expect(await ask({ conversation: { seed: 1, trialNumber: 1, request: 2 } })).toMatchObject({
    content: null,
    tool_calls: [
      { id: 'call_2_0', name: 'weather', arguments: { city: 'Bonn' } },
      { id: 'call_2_1', name: 'time', arguments: {} },
    ],
    finish_reason: 'tool_calls',
    provider_state: { llama: { raw_calls: [['x'], null] } },
  });
});

test('a required tool is enforced by a grammar, and the model is instructed to call it', async () => {
  const { ask, asked } = project(says('{"name":"weather","arguments":{"city":"Bonn","day":null}}'));
  const extras = { tool_choice: { type: 'function', function: { name: 'weather' } } };
  expect(await ask({ extras })).toMatchObject({
    content: null,
    tool_calls: [{ id: 'call_0_0', name: 'weather', arguments: { city: 'Bonn' } }],
    finish_reason: 'tool_calls',
  });
  const [, history, options] = asked.of('generate')[0] ?? [];
  expect(history).toMatchObject([
    { type: 'system', text: expect.stringContaining('"name":"weather"') },
    { type: 'user' },
    { type: 'model' },
  ]);
  expect(options).toMatchObject({ grammar: { schema: { properties: { name: { const: 'weather' } } } } });
  expect(options).not.toHaveProperty('functions');
});

test('a required call that was cut off keeps its text', async () => {
  const { ask } = project(says('{"name":"weather","argum', 'maxTokens'));
  expect(await ask({ extras: { tool_choice: { type: 'tool', name: 'weather' } } })).toMatchObject({
    tool_calls: [{ name: 'weather', arguments: {}, raw_arguments: '{"name":"weather","argum' }],
    finish_reason: 'length',
  });
});

test('one call of any tool can be required, or none allowed', async () => {
  const { ask, asked } = project(says('{"name":"time","arguments":{}}'));
  expect(await ask({ extras: { tool_choice: 'required' } })).toMatchObject({
    tool_calls: [{ name: 'time', arguments: {} }],
  });
  expect(await ask({ extras: { tool_choice: 'none' } })).toMatchObject({ tool_calls: [] });
  expect(asked.of('generate')[1]?.[2]).not.toHaveProperty('functions');
});

test('the same seed gives the same answer, each trial has another one, and a seed of the scenario takes precedence', async () => {
  const { ask, asked } = project(says('x'));
  const conversation = { seed: 1, trialNumber: 1, request: 0 };
  for (const config of [
    { conversation },
    { conversation },
    { conversation: { ...conversation, trialNumber: 2 } },
    { conversation, seed: 5 },
  ]) {
    await ask(config);
  }
  const seeds = asked.of('generate').map(([, , options]) => Reflect.get(Object(options), 'seed'));
  expect(asked.of('clear')).toHaveLength(4);
  expect(seeds[0]).toBe(seeds[1]);
  expect(seeds[2]).not.toBe(seeds[0]);
  expect(seeds[3]).toBe(5);
});

test('the model is loaded once, one answer is generated at a time, and it is disposed of at the end', async () => {
  let running = 0;
  let most = 0;
  const { ask, asked, adapter } = project(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return says('x')();
  });
  await Promise.all([ask(), ask(), ask()]);
  await adapter.close?.();
  expect(most).toBe(1);
  expect(asked.of('loadModel')).toHaveLength(1);
  expect(asked.of('createContext')).toMatchObject([['createContext', { sequences: 1 }]]);
  expect(asked.of('dispose')).toHaveLength(1);
});

test('a cancelled answer is aborted, and the next one gets its turn', async () => {
  const controller = new AbortController();
  const { ask } = project(({ signal }) => {
    if (signal === undefined || controller.signal.aborted) return says('next')();
    setImmediate(() => controller.abort());
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const cancelled = ask({ signal: controller.signal });
  const next = ask();
  await expect(cancelled).rejects.toMatchObject({ kind: 'aborted' });
  await expect(next).resolves.toMatchObject({ content: 'next' });
});

test('an error of the library is not an answer of the model', async () => {
  const { ask } = project(() => Promise.reject(new Error('context too small')));
  await expect(ask()).rejects.toMatchObject({
    kind: 'bad_response',
    message: expect.stringContaining('context too small'),
  });
});

test('a missing package or file says what to do', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'tiny.gguf'), '');
  const context = { root, adapters: {}, env: {} };
  const sendTurn = (model_path: string) =>
    createLlamaAdapter({ type: 'llama', model_path }, context).sendTurn([], [], { model: 'm' });
  await expect(sendTurn('tiny.gguf')).rejects.toThrow('Run: npm install node-llama-cpp');
  await expect(sendTurn('other.gguf')).rejects.toThrow('The model file other.gguf was not found');
});

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');

describe('a prompt and the context', () => {
  // The description of the tools has two words: "The weather".
  it.each([
    [97, 1],
    [90, 8],
  ])('a prompt of %s words in a context of 100 leaves %s tokens for the answer', async (count, room) => {
    const { ask, asked } = project(says('x'), { context_size: 100 });
    await ask({}, words(count - 1));
    await ask({ maxTokens: 3 }, words(count - 1));
    const limits = asked.of('generate').map(([, , options]) => Reflect.get(Object(options), 'maxTokens'));
    expect(limits).toEqual([room, Math.min(3, room)]);
  });

  it('a prompt that does not fit is an error with both numbers, and no part of it is evaluated', async () => {
    const { ask, asked } = project(says('x'), { context_size: 100 });
    for (const [count, tokens] of [
      [97, 99],
      [7_000, 7_002],
    ] as const) {
      await expect(ask({}, words(count))).rejects.toMatchObject({
        kind: 'context_length',
        message: expect.stringContaining(`a prompt of ${tokens} tokens: its context has 100`),
      });
    }
    expect([asked.of('evaluate'), asked.of('generate')]).toEqual([[], []]);
  });

  it('its evaluation stops when the time is up', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { ask, asked } = project(says('next'), { timeout_seconds: 10 });
    const hang = Promise.withResolvers<void>();
    const isEvaluating = Promise.withResolvers<void>();
    const evaluate = () => {
      isEvaluating.resolve();
      return hang.promise;
    };
    Object.assign(globalThis, { salvoLlamaEvaluating: evaluate });
    const late = expect(ask({}, words(1_000))).rejects.toMatchObject({ kind: 'timeout' });
    const next = ask();
    await isEvaluating.promise;
    await vi.advanceTimersByTimeAsync(10_000);
    await late;
    Object.assign(globalThis, { salvoLlamaEvaluating: undefined });
    hang.resolve();
    await expect(next).resolves.toMatchObject({ content: 'next' });
    expect(asked.of('evaluate')[0]).toEqual(['evaluate', 128]);
    expect(asked.of('evaluate').length).toBeLessThan(4);
  });
});

test('waiting for the model and for a free place is given to the caller to measure', async () => {
  const { ask } = project(says('x'));
  let waiting = 0;
  const waits: number[] = [];
  const whileWaiting: AdapterConfig['whileWaiting'] = async (wait) => {
    waiting += 1;
    waits.push(waiting);
    try {
      return await wait();
    } finally {
      waiting -= 1;
    }
  };
  await Promise.all([ask({ whileWaiting }), ask({ whileWaiting })]);
  expect(waits).toHaveLength(4);
});

test('threads are the cores for calculations that this process may use, at most 8, unless the adapter sets them', async () => {
  const threadsOf = async (threads?: number) => {
    const { ask, asked } = project(says('x'), threads === undefined ? {} : { threads });
    await ask();
    return Reflect.get(Object(asked.of('createContext')[0]?.[1]), 'threads');
  };
  expect(await threadsOf()).toBe(Math.min(8, availableParallelism()));
  expect(await threadsOf(11)).toBe(11);
});

test('texts are embedded in a context of their own, without one for chats', async () => {
  const { adapter, asked } = project((text) => [String(text).length, 1]);
  const messages = ['one text', 'x'].map((content) => ({ role: 'user' as const, content }));
  expect(await adapter.sendTurn(messages, [], { model: 'tiny', embed: true })).toMatchObject({
    tool_calls: [
      {
        name: 'embed',
        arguments: {
          embeddings: [
            [8, 1],
            [1, 1],
          ],
        },
      },
    ],
    usage: { input_tokens: 3, output_tokens: 0 },
    cost_usd: 0,
  });
  expect(asked.of('createEmbeddingContext')).toHaveLength(1);
  expect(asked.of('createContext')).toEqual([]);
  await adapter.close?.();
  expect(asked.of('dispose')).toHaveLength(1);
});

test('an embedding that fails is an error of the adapter', async () => {
  const { ask } = project(() => {
    throw new Error('the text is too long');
  });
  await expect(ask({ embed: true })).rejects.toThrow('The model tiny.gguf failed: the text is too long');
});
