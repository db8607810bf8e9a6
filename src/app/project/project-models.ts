import { checkAdapterReady } from '../../adapters/adapter-ready.ts';
import { adapterType } from '../../adapters/registry.ts';
import { type CalledModel, refuseUnknownPrices } from '../../models/budget/unknown-prices.ts';
import { type ModelServices, openModelServices } from '../../models/call/model-services.ts';
import type { SharedLimits } from '../../models/shared/shared-limits.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { projectEnv } from './project-env.ts';

/** What agents, teams and judges call models with, as the project configures them. */
export interface ProjectModels extends ModelServices, AsyncDisposable {
  project: Project;
  /** Throws when the adapter is unknown, or cannot be called yet. */
  checkReady(adapter: string): void;
  /**
   * The budget to keep: what was asked for, or `budget_usd` of salvo.yaml; null for none. Throws when there is one and
   * the price of a model is unknown.
   */
  budgetUsd(asked: number | undefined, called: readonly CalledModel[]): Promise<number | null>;
}

export async function openProjectModels(options: {
  project: Project;
  env: Record<string, string | undefined>;
  retries?: number | undefined;
  /** False: cached votes are ignored. */
  cache?: boolean | undefined;
  /** Instead of limits that this process keeps alone. */
  limits?: Pick<SharedLimits, 'limitersOf'> | undefined;
}): Promise<ProjectModels> {
  const { project } = options;
  const env = projectEnv(project, options.env);
  const services = await openModelServices({ ...options, env, limitersOf: options.limits?.limitersOf });
  const { models, pricing } = services;
  const context = { root: project.root, adapters: project.config.adapters, env };
  return {
    ...services,
    project,
    checkReady: (adapter) => checkAdapterReady(adapter, context),
    async budgetUsd(asked, called) {
      const limit = asked ?? project.config.budget_usd ?? null;
      const typeOf = (adapter: string) => adapterType(adapter, context);
      if (limit !== null) await refuseUnknownPrices({ called, pricing, typeOf, providerOf: models.providerName });
      return limit;
    },
    [Symbol.asyncDispose]: () => models.close(),
  };
}
