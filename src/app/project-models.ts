import { checkAdapterReady } from '../adapters/adapter-ready.ts';
import type { ModelCaller } from '../models/model-caller.ts';
import { openModelServices } from '../models/model-services.ts';
import type { Pricing } from '../models/prices.ts';
import type { VoteCache } from '../models/vote-cache.ts';
import type { Project } from '../scenario/schema/project-schema.ts';

/** What teams and judges call models with, as the project configures them. */
export interface ProjectModels extends AsyncDisposable {
  project: Project;
  caller: ModelCaller;
  /** Null when no vote may be kept. */
  cache: VoteCache | null;
  pricing: Pricing;
  /** Throws when the adapter is unknown, or cannot be called yet. */
  checkReady(adapter: string): void;
}

export async function openProjectModels(options: {
  project: Project;
  env: Record<string, string | undefined>;
  /** False: cached votes are ignored. */
  cache?: boolean | undefined;
}): Promise<ProjectModels> {
  const { project, env } = options;
  const { models: caller, voteCache: cache, pricing } = await openModelServices(options);
  return {
    project,
    caller,
    cache,
    pricing,
    checkReady: (adapter) => checkAdapterReady(adapter, { root: project.root, adapters: project.config.adapters, env }),
    [Symbol.asyncDispose]: () => caller.close(),
  };
}
