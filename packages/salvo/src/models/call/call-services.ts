import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import { adapterLimits } from '../../adapters/registry.ts';
import { memoByKey } from '../../text/memo.ts';
import { createPricing, type Price, type Pricing } from '../budget/prices.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { createOutages, type OutageOf } from './outages.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './retry-policy.ts';

/** What agents, judges and teams share when they call models: limits, prices, retries. */
export interface CallServices {
  limiterOf: LimiterOf;
  outageOf: OutageOf;
  pricing: Pricing;
  retry: RetryPolicy;
}

export type LimiterOf = (adapter: string) => Limiter;

/** One limiter for each adapter, shared by all of its callers. */
export function createLimiters(context: AdapterContext): LimiterOf {
  return memoByKey((adapter) => createLimiter(adapterLimits(adapter, context)));
}

export function createCallServices(options: {
  context: AdapterContext;
  prices: Record<string, Price>;
  retries?: number | undefined;
  /** Instead of limits that this process keeps alone. */
  limitersOf?: ((context: AdapterContext) => LimiterOf) | undefined;
}): CallServices {
  return {
    limiterOf: (options.limitersOf ?? createLimiters)(options.context),
    outageOf: createOutages(),
    pricing: createPricing(options.prices),
    retry: { ...DEFAULT_RETRY_POLICY, maxRetries: options.retries ?? DEFAULT_RETRY_POLICY.maxRetries },
  };
}
