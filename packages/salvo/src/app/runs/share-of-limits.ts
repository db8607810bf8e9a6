import type { Shard } from '../../run/record/run-record.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';

/**
 * The project with one shard's share of everything that all shards use together: the budget, and what the providers
 * allow. The machine's own `concurrency` is not shared. An adapter always has room for one request.
 */
export function shareOfLimits(project: Project, shard: Shard): Project {
  const { adapters, budget_usd } = project.config;
  const shared = Object.entries(adapters).map(([name, options]) => {
    const { requests_per_minute, max_concurrency } = options;
    const limits = {
      ...(requests_per_minute === undefined ? {} : { requests_per_minute: requests_per_minute / shard.count }),
      ...(max_concurrency === undefined ? {} : { max_concurrency: shareOfPlaces(max_concurrency, shard) }),
    };
    return [name, { ...options, ...limits }] as const;
  });
  return {
    ...project,
    config: {
      ...project.config,
      adapters: Object.fromEntries(shared),
      ...(budget_usd === undefined ? {} : { budget_usd: budget_usd / shard.count }),
    },
  };
}

/** The first shards have the places that cannot be divided. */
function shareOfPlaces(places: number, { index, count }: Shard): number {
  return Math.max(1, Math.floor(places / count) + (index <= places % count ? 1 : 0));
}
