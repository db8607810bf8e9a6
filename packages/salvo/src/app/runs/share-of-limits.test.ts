import { expect, test } from 'vitest';
import { type Project, projectSchema } from '../../scenario/schema/project-schema.ts';
import { shareOfLimits } from './share-of-limits.ts';

const project: Project = {
  root: '/project',
  file: null,
  config: projectSchema.parse({
    budget_usd: 6,
    concurrency: 8,
    adapters: {
      shop: { type: 'openai', requests_per_minute: 90, max_concurrency: 5 },
      slow: { type: 'openai', max_concurrency: 1 },
      free: { type: 'openai' },
    },
  }),
};

test('a shard has its share of the budget and of what providers allow, but all of its own machine', () => {
  const configs = [1, 2, 3, 4].map((index) => shareOfLimits(project, { index, count: 4 }).config);
  expect(configs[0]).toMatchObject({
    budget_usd: 1.5,
    concurrency: 8,
    adapters: { shop: { requests_per_minute: 22.5 } },
  });
  expect(configs.map(({ adapters }) => adapters.shop?.max_concurrency)).toEqual([2, 1, 1, 1]);
  expect(configs.map(({ adapters }) => adapters.slow?.max_concurrency)).toEqual([1, 1, 1, 1]);
  expect(configs[0]?.adapters.free).toEqual(project.config.adapters.free);
});
