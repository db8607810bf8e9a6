import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { makeTinyGguf } from '../../examples/local-model/make-model.ts';
import type { AdapterConfig, ToolDefinition } from '../../packages/salvo/src/adapters/adapter.ts';
import { isPackageInstalled } from '../../packages/salvo/src/adapters/call/optional-package.ts';
import { createLlamaAdapter } from '../../packages/salvo/src/adapters/llama/llama.ts';
import type { Message } from '../../packages/salvo/src/trace/message.ts';

/** Where node-llama-cpp is installed: it is too large to be a dependency of the tests. */
const root = process.env.SALVO_TEST_LLAMA_ROOT ?? process.cwd();
const installed = isPackageInstalled('node-llama-cpp', root);
if (!installed) {
  console.warn(
    'Skipped: node-llama-cpp is not installed. Install it anywhere, and set SALVO_TEST_LLAMA_ROOT to that folder.',
  );
}

const weather: ToolDefinition = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: {
      city: { $ref: '#/$defs/city' },
      tomorrow: { type: 'boolean' },
      unit: { enum: ['C', 'F'] },
    },
    required: ['city', 'tomorrow'],
    $defs: { city: { enum: ['Bonn', 'Rome', 'Oslo'] } },
  },
};
const time: ToolDefinition = { name: 'time', description: 'The time', parameters: { type: 'object', properties: {} } };
const hi: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How is the weather?' },
];

describe.skipIf(!installed)('a GGUF file in this process', () => {
  const adapter = createLlamaAdapter(
    { type: 'llama', model_path: process.env.SALVO_TEST_GGUF ?? tinyModel(), context_size: 2048, gpu: false },
    { root, adapters: {}, env: {} },
  );
  afterAll(() => adapter.close?.());

  const ask = (config: Partial<AdapterConfig> = {}, messages = hi) =>
    adapter.sendTurn(messages, [weather, time], { model: 'tiny', temperature: 1, maxTokens: 24, ...config });
  const forced = { tool_choice: { type: 'function', function: { name: 'weather' } } };

  test('a decision has the probabilities of its levels, the same each time', async () => {
    const levels = ['cold', 'polite', 'warm'].map((label) => ({ label, description: '' }));
    const decision = [
      { type: 'score' as const, name: 'tone', instructions: 'How friendly is it?', levels },
      { type: 'predicate' as const, name: 'sorry', instructions: 'It apologises.' },
    ];
    const decide = async () => (await ask({ decision })).tool_calls[0]?.arguments.answers;
    const [tone, sorry] = z.array(z.looseObject({})).parse(await decide());
    const shares = z.array(z.object({ label: z.string(), probability: z.number() })).parse(tone?.probabilities);
    expect(shares.map(({ label }) => label)).toEqual(['cold', 'polite', 'warm']);
    expect(shares.reduce((total, { probability }) => total + probability, 0)).toBeCloseTo(1, 6);
    expect(z.number().min(0).max(1).parse(sorry?.probability)).toBeGreaterThan(0);
    expect(await decide()).toEqual([tone, sorry]);
  });

  test('a forced tool call is always well formed', async () => {
    for (const seed of [1, 2]) {
      const { tool_calls, finish_reason, usage } = await ask({ extras: forced, seed, maxTokens: 400 });
      expect(finish_reason).toBe('tool_calls');
      expect(tool_calls).toHaveLength(1);
      expect(tool_calls[0]).toMatchObject({ name: 'weather', id: 'call_0_0' });
      const { city, tomorrow, unit = 'C' } = tool_calls[0]?.arguments ?? {};
      expect(['Bonn', 'Rome', 'Oslo']).toContain(city);
      expect([true, false]).toContain(tomorrow);
      expect(['C', 'F']).toContain(unit);
      expect(usage?.input_tokens).toBeGreaterThan(20);
      expect(usage?.output_tokens).toBeGreaterThan(5);
    }
  });

  test('some tool can be required', async () => {
    const { tool_calls } = await ask({ extras: { tool_choice: 'required' }, seed: 4, maxTokens: 400 });
    expect(['weather', 'time']).toContain(tool_calls[0]?.name);
  });

  test('the same seed gives the same answer', async () => {
    const [first, second] = [await ask({ seed: 9 }), await ask({ seed: 9 })];
    expect(second.content).toBe(first.content);
    expect(second.usage?.input_tokens).toBe(first.usage?.input_tokens);
  });

  test('an answer after tool results is generated, and its length is limited', async () => {
    const messages: Message[] = [
      ...hi,
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [{ id: 'a', name: 'weather', arguments: { city: 'Bonn', tomorrow: false } }],
      },
      { role: 'tool_result', tool_call_id: 'a', name: 'weather', content: 'sunny', is_error: false },
    ];
    const { usage } = await ask({ maxTokens: 16 }, messages);
    expect(usage?.output_tokens).toBeLessThanOrEqual(16);
  });

  test('a prompt that does not fit the context is refused with both numbers', async () => {
    const long: Message[] = [{ role: 'user', content: 'word '.repeat(5000) }];
    await expect(ask({}, long)).rejects.toThrow(/a prompt of \d{4,} tokens: its context has 2048/);
  });

  test('a cancelled answer stops, and the next one is generated', async () => {
    const controller = new AbortController();
    const cancelled = ask({ signal: controller.signal, maxTokens: 1500 });
    setTimeout(() => controller.abort(), 300);
    await expect(cancelled).rejects.toMatchObject({ kind: 'aborted' });
    expect((await ask({ extras: forced, maxTokens: 400 })).tool_calls).toHaveLength(1);
  });
});

function tinyModel(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'salvo-gguf-')), 'tiny.gguf');
  makeTinyGguf(path);
  return path;
}
