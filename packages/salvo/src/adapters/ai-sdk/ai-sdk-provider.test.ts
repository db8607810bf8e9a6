import { expect, test } from 'vitest';
import { createAiSdkProvider } from './ai-sdk-provider.ts';

const create = (settings: unknown) => (model: string) => ({ provider: 'p', model, settings });
const base = { env: { KEY: ' k\n' }, headers: {}, fetch };

function model(
  exports: Record<string, unknown>,
  options: { package?: string; export?: string; api_key_env?: string; base_url?: string } = {},
) {
  return createAiSdkProvider({ ...base, exports, options: { package: '@ai-sdk/google', ...options } })('m');
}

test('the only createXyz creates the provider, with key and address', () => {
  const options = { api_key_env: 'KEY', base_url: 'http://localhost' };
  expect(model({ VERSION: '1', createXyz: create }, options)).toEqual({
    provider: 'p',
    model: 'm',
    settings: { apiKey: 'k', baseURL: 'http://localhost', fetch },
  });
});

test('the one named after the package is chosen among several', () => {
  const createOther = () => undefined;
  expect(model({ createOther, createGoogleGenerativeAI: create })).toMatchObject({ model: 'm' });
  expect(model({ createAmazonBedrock: create, createOther }, { package: '@ai-sdk/amazon-bedrock' })).toMatchObject({
    model: 'm',
  });
  expect(model({ createGoogle: create, createGoogleGenerativeAI: create })).toMatchObject({ model: 'm' });
});

test('an export can be named: one that creates a provider, or one that is a provider', () => {
  expect(model({ createA: create, createB: () => undefined }, { export: 'createA' })).toMatchObject({ model: 'm' });
  expect(model({ google: create(null) }, { export: 'google' })).toEqual({ provider: 'p', model: 'm', settings: null });
  expect(model({ google: { languageModel: create(null) } }, { export: 'google' })).toMatchObject({ model: 'm' });
});

test.each([
  [{}, {}, 'None of them is called createXyz'],
  [{ createA: create, createB: () => undefined }, {}, 'It could be createA, createB'],
  [
    { createA: create },
    { export: 'createC' },
    'the export "createC" of @ai-sdk/google does not create language models',
  ],
  [{ createGoogle: () => null }, {}, 'does not create language models'],
  [{ createGoogle: create }, { api_key_env: 'OTHER' }, 'The environment variable OTHER'],
])('exports %o with options %o are refused', (exports, options, problem) => {
  expect(() => model(exports, options)).toThrow(problem);
});
