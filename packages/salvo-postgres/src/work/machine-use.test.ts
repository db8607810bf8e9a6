import { expect, test } from 'vitest';
import type { AdapterOptions } from '../../../salvo/src/adapters/adapter-options-schema.ts';
import { refuseMachineUse } from './machine-use.ts';

const use = (options: AdapterOptions) => () =>
  refuseMachineUse({ own: options }, { root: '/cache/b/p', folder: '/cache/b' });
const refused = (what: string) =>
  expect.objectContaining({ code: 'CODE_NOT_ALLOWED', message: expect.stringContaining(`adapter own: ${what}`) });

test.each(['@ai-sdk/google', '@ai-sdk/openai-compatible', './provider.mjs'])(
  'the package %s needs no permission',
  (name) => {
    expect(use({ type: 'ai-sdk', package: name })).not.toThrow();
  },
);

test.each(['left-pad', '@ai-sdk/google/internal', '@evil/ai-sdk', 'node_modules'])('the package %s does', (name) => {
  expect(use({ type: 'ai-sdk', package: name })).toThrow(refused(`the package ${name}`));
});

test.each(['m.gguf', '../m.gguf', '/cache/b/m.gguf'])('the model file %s travelled with the run', (model_path) => {
  expect(use({ type: 'llama', model_path })).not.toThrow();
});

test.each(['/models/m.gguf', '../../m.gguf', '/cache/bb/m.gguf', '/proc/self/environ'])(
  'the model file %s is one of the worker',
  (model_path) => {
    expect(use({ type: 'llama', model_path })).toThrow(refused(`the file ${model_path}`));
  },
);
