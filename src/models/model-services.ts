import path from 'node:path';
import type { AdapterContext } from '../adapters/adapter-factory.ts';
import { adapterSecrets } from '../adapters/adapter-secrets.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { createRedactor } from '../secrets/redactor.ts';
import { createLimiters, createModelCaller, type LimiterOf, type ModelCaller } from './model-caller.ts';
import { createPricing, type Pricing } from './prices.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './send-with-retries.ts';
import { createVoteCache, type VoteCache } from './vote-cache.ts';

/** What agents and judges of a run share: limits, prices, retries; and what judges need beside. */
export interface Judging {
  limiterOf: LimiterOf;
  pricing: Pricing;
  retry: RetryPolicy;
  models: ModelCaller;
  voteCache: VoteCache | null;
}

export async function openJudging(options: {
  project: Project;
  env: Record<string, string | undefined>;
  retries?: number | undefined;
  /** False: every vote is bought anew. */
  cache?: boolean | undefined;
}): Promise<Judging> {
  const { project, env } = options;
  const { adapters, prices, recording, storage_dir } = project.config;
  const context: AdapterContext = { root: project.root, adapters, env };
  const retry = { ...DEFAULT_RETRY_POLICY, maxRetries: options.retries ?? DEFAULT_RETRY_POLICY.maxRetries };
  const pricing = createPricing(prices);
  const limiterOf = createLimiters(context);
  // A vote's reasoning is text, and in this mode no text is kept.
  const mayKeep = (options.cache ?? true) && recording.mode === 'full';
  const redactor = createRedactor({
    customPatterns: recording.custom_redaction_patterns,
    secrets: adapterSecrets({ adapters, env }),
  });
  return {
    limiterOf,
    pricing,
    retry,
    models: createModelCaller({ context, pricing, limiterOf, retry }),
    voteCache: mayKeep
      ? createVoteCache({
          dir: path.resolve(project.root, storage_dir, 'judge-cache'),
          withoutSecrets: (value) => redactor.value(value),
        })
      : null,
  };
}
