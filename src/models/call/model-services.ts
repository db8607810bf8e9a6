import path from 'node:path';
import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import { adapterSecrets } from '../../adapters/adapter-secrets.ts';
import { createRedactor } from '../../secrets/redactor.ts';
import { createPricing, type Price, type Pricing } from '../budget/prices.ts';
import { createLimiters, createModelCaller, type LimiterOf, type ModelCaller } from './model-caller.ts';
import { createOutages, type OutageOf } from './outages.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './send-with-retries.ts';
import { readUserKey } from './user-key.ts';
import { createVoteCache, type VoteCache } from './vote-cache.ts';

/** What calling models needs to know of a project. */
export interface ModelProject {
  root: string;
  config: {
    adapters: AdapterContext['adapters'];
    prices: Record<string, Price>;
    recording: { mode: 'full' | 'metadata_only'; custom_redaction_patterns: readonly string[] };
    /** Relative to `root`. */
    storage_dir: string;
  };
}

/** What agents, judges and teams share when they call models: limits, prices, retries, and cached votes. */
export interface ModelServices {
  limiterOf: LimiterOf;
  outageOf: OutageOf;
  pricing: Pricing;
  retry: RetryPolicy;
  models: ModelCaller;
  /** Null when no vote may be kept. */
  voteCache: VoteCache | null;
}

export async function openModelServices(options: {
  project: ModelProject;
  env: Record<string, string | undefined>;
  retries?: number | undefined;
  /** False: cached votes are ignored, and none is kept. */
  cache?: boolean | undefined;
  /** Instead of limits that this process keeps alone. */
  limitersOf?: ((context: AdapterContext) => LimiterOf) | undefined;
}): Promise<ModelServices> {
  const { project, env } = options;
  const { adapters, prices, recording, storage_dir } = project.config;
  const context: AdapterContext = { root: project.root, adapters, env };
  const retry = { ...DEFAULT_RETRY_POLICY, maxRetries: options.retries ?? DEFAULT_RETRY_POLICY.maxRetries };
  const pricing = createPricing(prices);
  const limiterOf = (options.limitersOf ?? createLimiters)(context);
  const outageOf = createOutages();
  // A vote's reasoning is text, which `metadata_only` does not allow to be kept.
  const mayKeep = (options.cache ?? true) && recording.mode === 'full';
  const redactor = createRedactor({
    customPatterns: recording.custom_redaction_patterns,
    secrets: adapterSecrets({ adapters, env }),
  });
  return {
    limiterOf,
    outageOf,
    pricing,
    retry,
    models: createModelCaller({ context, pricing, limiterOf, outageOf, retry }),
    voteCache: mayKeep
      ? createVoteCache({
          dir: path.resolve(project.root, storage_dir, 'judge-cache'),
          withoutSecrets: (value) => redactor.value(value),
          userKey: () => readUserKey(env),
        })
      : null,
  };
}
