import type { AdapterOptions } from '../../packages/salvo/src/adapters/adapter-options-schema.ts';
import { createPricing } from '../../packages/salvo/src/models/budget/prices.ts';
import { createLimiters } from '../../packages/salvo/src/models/call/call-services.ts';
import { createModelCaller, type ModelCaller } from '../../packages/salvo/src/models/call/model-caller.ts';

/** Calls the model `m` of these adapters with test keys, at 1000 dollars per million input tokens, and retries at once. */
export function wireModels(
  adapters: Record<string, AdapterOptions>,
  { maxRetries }: { maxRetries: number },
): ModelCaller {
  const env = { OPENAI_API_KEY: 'sk-test-0123456789', ANTHROPIC_API_KEY: 'sk-ant-0123456789' };
  const context = { root: '.', adapters, env };
  return createModelCaller({
    context,
    pricing: createPricing({ m: { input_per_million: 1000, output_per_million: 0 } }),
    limiterOf: createLimiters(context),
    retry: { maxRetries, baseDelaySeconds: 0.01, maxDelaySeconds: 0.01 },
  });
}
