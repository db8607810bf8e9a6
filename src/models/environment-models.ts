import { createLimiters, createModelCaller, type ModelCaller } from './model-caller.ts';
import { createPricing } from './prices.ts';

/** For a caller that brings none: built-in and registered adapters, with the keys of the environment. */
export function environmentModels(): ModelCaller {
  const context = { root: process.cwd(), adapters: {}, env: process.env };
  return createModelCaller({ context, pricing: createPricing(), limiterOf: createLimiters(context) });
}
