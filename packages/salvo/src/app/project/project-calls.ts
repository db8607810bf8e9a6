import { adapterType, getAdapter } from '../../adapters/registry.ts';
import type { SharedLimits } from '../../models/budget/shared-limits.ts';
import type { CalledModel } from '../../models/budget/unknown-prices.ts';
import { type CallServices, createCallServices } from '../../models/call/call-services.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { projectEnv } from './project-env.ts';

/** What agents call models with, as the project configures it. Judges and teams need more: `openProjectModels`. */
export interface ProjectCalls extends CallServices {
  project: Project;
  /** Rejects when the adapter is unknown, or cannot be called yet. */
  checkReady(adapter: string): Promise<void>;
  /**
   * The budget to keep: what was asked for, or `budget_usd` of salvo.yaml; null for none. Rejects when there is one and
   * the price of a model is unknown.
   */
  budgetUsd(asked: number | undefined, called: readonly CalledModel[]): Promise<number | null>;
}

export interface ProjectCallOptions {
  project: Project;
  env: Record<string, string | undefined>;
  retries?: number | undefined;
  /** Instead of limits that this process keeps alone. */
  limits?: Pick<SharedLimits, 'limitersOf'> | undefined;
}

export function openProjectCalls({ project, retries, limits, ...given }: ProjectCallOptions): ProjectCalls {
  const { adapters, prices, budget_usd } = project.config;
  const context = { root: project.root, adapters, env: projectEnv(project, given.env) };
  const services = createCallServices({ context, prices, retries, limitersOf: limits?.limitersOf });
  return {
    ...services,
    project,
    checkReady: async (adapter) =>
      (await import('../../adapters/adapter-ready.ts')).checkAdapterReady(adapter, context),
    async budgetUsd(asked, called) {
      const limit = asked ?? budget_usd ?? null;
      if (limit === null) return null;
      const { refuseUnknownPrices } = await import('../../models/budget/unknown-prices.ts');
      await refuseUnknownPrices({
        called,
        pricing: services.pricing,
        typeOf: (adapter) => adapterType(adapter, context),
        providerOf: (adapter) => getAdapter(adapter, context).providerName(),
      });
      return limit;
    },
  };
}
