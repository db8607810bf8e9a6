import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Adapter } from '../../adapters/adapter.ts';
import type { Message } from '../../trace/message.ts';
import { describeCall } from './call-cost.ts';
import { createPricing } from './prices.ts';

const model: Adapter = {
  providerName: () => 'openai',
  isOneModelCall: true,
  sendTurn: () => Promise.reject(new Error('an unexpected request')),
};
const agent: Adapter = { ...model, isOneModelCall: undefined };
const pricing = createPricing({
  paid: { input_per_million: 1, output_per_million: 10 },
  free: { input_per_million: 0, output_per_million: 0 },
});
const messages: Message[] = [{ role: 'user', content: 'Please.' }];

describe('what a call can cost', () => {
  it('is at most one token for each byte of the prompt, and the longest answer', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 5000 }), async (content, maxTokens) => {
        const { mostUsd, estimateUsd } = await describeCall({
          adapter: model,
          messages: [{ role: 'user', content }],
          tools: [],
          config: { model: 'paid', maxTokens },
          pricing,
        });
        const tokens = Buffer.byteLength(content);
        expect(mostUsd).toBeGreaterThanOrEqual((tokens + 10 * maxTokens) / 1e6);
        expect(mostUsd).toBeGreaterThanOrEqual(estimateUsd ?? Number.NaN);
      }),
    );
  });

  it('is limited without max_tokens, too, because answers have an end', async () => {
    const call = await describeCall({ adapter: model, messages, tools: [], config: { model: 'paid' }, pricing });
    expect(call.mostUsd).toBeGreaterThan(1.3);
    expect(call.mostUsd).toBeLessThan(1.4);
    expect(call.estimateUsd).toBeLessThan(0.01);
  });

  it.each([
    ['an agent', { adapter: agent, config: { model: 'paid' } }],
    ['several answers', { adapter: model, config: { model: 'paid', extras: { n: 5 } } }],
    ['another limit', { adapter: model, config: { model: 'paid', maxTokens: 10, extras: { max_tokens: 9999 } } }],
    ['an unknown price', { adapter: model, config: { model: 'nobody-knows-it' } }],
  ])('has no limit for %s', async (_, asked) => {
    expect(await describeCall({ ...asked, messages, tools: [], pricing })).toMatchObject({ mostUsd: null });
  });

  it('is nothing for a model without a price to pay, also of an agent', async () => {
    for (const adapter of [model, agent]) {
      const call = await describeCall({ adapter, messages, tools: [], config: { model: 'free' }, pricing });
      expect(call).toMatchObject({ mostUsd: 0, estimateUsd: 0 });
    }
  });
});
