import { expect, test } from 'vitest';
import { checkAdapterReady } from './adapter-ready.ts';

const context = { root: '/project', adapters: {}, env: {} };

test('an adapter without a missing key, package or file is ready', () => {
  expect(() => checkAdapterReady('scripted', context)).not.toThrow();
  expect(() => checkAdapterReady('openai', { ...context, env: { OPENAI_API_KEY: 'k' } })).not.toThrow();
});

test('a missing key is named, with the file that names the adapter', () => {
  expect(() => checkAdapterReady('openai', context)).toThrow(
    expect.objectContaining({
      code: 'ADAPTER_NOT_READY',
      message: 'The adapter "openai" cannot be used yet: set OPENAI_API_KEY. `salvo adapters` lists what is missing.',
    }),
  );
  expect(() => checkAdapterReady('openai', { ...context, file: 'a.yaml' })).toThrow(
    /^a\.yaml: the adapter "openai" cannot be used yet/,
  );
});

test("a judge's adapter is called that, with where to choose another", () => {
  expect(() => checkAdapterReady('openai', { ...context, file: 'a.yaml', askedAs: 'judge' })).toThrow(
    /^a\.yaml: the judge's adapter "openai" cannot be used yet: set OPENAI_API_KEY\. .*`judge_adapter`/,
  );
});

test('an unknown name is refused', () => {
  expect(() => checkAdapterReady('opnai', context)).toThrow(/Did you mean "openai"/);
});
