import { checkAdapterReady } from '../adapters/adapter-ready.ts';
import { adapterType } from '../adapters/registry.ts';
import { type ModelServices, openModelServices } from '../models/model-services.ts';
import { type CalledModel, refuseUnknownPrices } from '../models/unknown-prices.ts';
import type { Project } from '../scenario/schema/project-schema.ts';

/** What agents, teams and judges call models with, as the project configures them. */
export interface ProjectModels extends ModelServices, AsyncDisposable {
  project: Project;
  /** Throws when the adapter is unknown, or cannot be called yet. */
  checkReady(adapter: string): void;
  /** Throws when the price of a model is unknown, so that a budget cannot be kept. */
  checkPrices(called: readonly CalledModel[]): Promise<void>;
}

export async function openProjectModels(options: {
  project: Project;
  env: Record<string, string | undefined>;
  retries?: number | undefined;
  /** False: cached votes are ignored. */
  cache?: boolean | undefined;
}): Promise<ProjectModels> {
  const { project, env } = options;
  const services = await openModelServices(options);
  const { models, pricing } = services;
  const context = { root: project.root, adapters: project.config.adapters, env };
  return {
    ...services,
    project,
    checkReady: (adapter) => checkAdapterReady(adapter, context),
    checkPrices: (called) =>
      refuseUnknownPrices({
        called,
        pricing,
        typeOf: (adapter) => adapterType(adapter, context),
        providerOf: models.providerName,
      }),
    [Symbol.asyncDispose]: () => models.close(),
  };
}
