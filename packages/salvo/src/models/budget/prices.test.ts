import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextWindow, createPricing } from './prices.ts';

const MILLION = { input_tokens: 1_000_000, output_tokens: 1_000_000 };
const price = (model: string, provider = 'openai', usage: Parameters<typeof pricing.priceTurn>[0]['usage'] = MILLION) =>
  pricing.priceTurn({ model, provider, usage });
const pricing = createPricing({
  'my-model': { input_per_million: 2, output_per_million: 8, cache_read_per_million: 0.5 },
  'gpt-4o': { input_per_million: 1, output_per_million: 1 },
});

describe('a known price', () => {
  it('is found under every name of a model', async () => {
    const sonnet = await price('claude-sonnet-4-5', 'anthropic');
    expect(sonnet).toBeGreaterThan(0);
    expect(await price('claude-sonnet-4-5-20250929', 'anthropic')).toBe(sonnet);
    expect(await price('anthropic/claude-sonnet-4-5', 'openai')).toBe(sonnet);
    expect(await price('claude-sonnet-4-5', 'scripted')).toBe(sonnet);
    // A gateway that speaks OpenAI's format.
    expect(await price('claude-sonnet-4-5', 'openai')).toBe(sonnet);
    expect(await price('openai/gpt-4o-mini', 'openai')).toBe(await price('gpt-4o-mini', 'openai'));
    expect(await price('openrouter/openai/gpt-4o-mini', 'ai-sdk')).toBe(await price('gpt-4o-mini', 'openai'));
  });

  it('has a lower rate for what was read from the cache', async () => {
    const cached = { input_tokens: 1_000_000, output_tokens: 0, cache_read_tokens: 1_000_000 };
    const fresh = { input_tokens: 1_000_000, output_tokens: 0 };
    const [low, full] = [await price('gpt-4o-mini', 'openai', cached), await price('gpt-4o-mini', 'openai', fresh)];
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThan(full ?? 0);
  });

  it("is the project's own where it has one", async () => {
    expect(await price('gpt-4o')).toBe(2);
    const usage = { input_tokens: 1000, output_tokens: 100, cache_read_tokens: 400, cache_write_tokens: 100 };
    expect(await price('my-model', 'exec', usage)).toBeCloseTo((500 * 2 + 400 * 0.5 + 100 * 2 + 100 * 8) / 1e6, 12);
  });

  it('grows with the tokens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1e6), fc.nat(1e6), fc.nat(1e6), async (input, output, more) => {
        const less = await price('my-model', 'openai', { input_tokens: input, output_tokens: output });
        const greater = await price('my-model', 'openai', { input_tokens: input + more, output_tokens: output });
        expect(greater).toBeGreaterThanOrEqual(less ?? Number.NaN);
      }),
    );
  });
});

describe('an unknown price', () => {
  it.each(['no-such-model', '', 'constructor', '__proto__', '/', 'a/b/c/d', 'x'.repeat(1000), 'gpt-oss:20b'])(
    'is unknown, never 0: %j',
    async (model) => {
      expect(await price(model)).toBeNull();
    },
  );

  it('is unknown when the tokens are unknown, or contradict each other', async () => {
    expect(await price('gpt-4o-mini', 'openai', null)).toBeNull();
    const wrong = { input_tokens: 1, output_tokens: 1, cache_read_tokens: 5 };
    expect(await price('gpt-4o-mini', 'openai', wrong)).toBeNull();
    expect(await price('gpt-4o-mini', 'openai', { input_tokens: Number.NaN, output_tokens: 1 })).toBeNull();
  });

  it('is 0 only where nothing is called: a script without a model name', async () => {
    expect(await price('scripted', 'scripted')).toBe(0);
    expect(await price('scripted', 'openai')).toBeNull();
  });
});

describe('the context of a model', () => {
  it('is found under every name of a model that the list knows', async () => {
    expect(await contextWindow('openai', 'gpt-4o-mini')).toBe(128_000);
    expect(await contextWindow('openai', 'openai/gpt-4o-mini')).toBe(128_000);
    expect(await contextWindow('anthropic', 'claude-3-5-haiku-latest')).toBe(200_000);
  });

  it.each(['no-such-model', '', '__proto__', '/', 'x'.repeat(1000)])('is unknown otherwise: %j', async (model) => {
    expect(await contextWindow('openai', model)).toBeNull();
  });
});
