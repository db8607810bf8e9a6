import { expect, test } from 'vitest';
import { createPricing } from './prices.ts';
import { refuseUnknownPrices } from './unknown-prices.ts';

const pricing = createPricing({ 'own-model': { input_per_million: 0, output_per_million: 0 } });
const check = (model: string, type: string) =>
  refuseUnknownPrices({
    called: [{ adapter: 'mine', model, file: 'scenarios/s.yaml' }],
    pricing,
    typeOf: (name) => (name === 'mine' ? type : undefined),
    providerOf: () => type,
  });

test.each(['openai', 'anthropic', 'ai-sdk'])('a model of %s without a known price is refused by name', async (type) => {
  await expect(check('home-grown', type)).rejects.toMatchObject({
    code: 'PRICE_UNKNOWN',
    message: expect.stringMatching(/^scenarios\/s\.yaml: .*"home-grown".*`prices:` in salvo\.yaml/),
  });
});

test('a model whose price is listed or given is allowed, also when the price is 0', async () => {
  await expect(check('gpt-4o', 'openai')).resolves.toBeUndefined();
  await expect(check('own-model', 'openai')).resolves.toBeUndefined();
});

test.each(['scripted', 'exec', 'http', 'module', 'registered'])(
  '%s is allowed: it may report its cost itself',
  async (type) => {
    await expect(check('home-grown', type)).resolves.toBeUndefined();
  },
);
