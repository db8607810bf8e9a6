import { expect, test } from 'vitest';
import { type CachedVote, type VoteCache, votesOfRun } from './vote-cache.ts';

const VOTE = { scores: {}, input_tokens: 1, output_tokens: 1, repaired: false, cost_usd: 0.5 };

function memoryCache(): VoteCache {
  const votes = new Map<string, CachedVote>();
  return { get: async (key) => votes.get(key) ?? null, set: async (key, vote) => void votes.set(key, vote) };
}

test('a vote that a run has paid for is on its bill once, also after it was killed', async () => {
  const cache = memoryCache();
  const first = votesOfRun(cache, 'run-1');
  await first.set('key', VOTE);
  expect((await first.get('key'))?.unbilled).toBeUndefined();
  const resumed = votesOfRun(cache, 'run-1');
  expect((await resumed.get('key'))?.unbilled).toEqual({ usd: 0.5 });
  expect((await resumed.get('key'))?.unbilled).toBeUndefined();
});

test('a vote of another run is free', async () => {
  const cache = memoryCache();
  await votesOfRun(cache, 'run-1').set('key', VOTE);
  expect((await votesOfRun(cache, 'run-2').get('key'))?.unbilled).toBeUndefined();
  expect(await votesOfRun(cache, 'run-2').get('other')).toBeNull();
});

test('a cost that was unknown stays unknown, with the part that is known', async () => {
  const cache = memoryCache();
  const cost_at_least = { usd: 0.25, calls_unknown: 1 };
  await votesOfRun(cache, 'run-1').set('key', { ...VOTE, cost_usd: null, cost_at_least });
  expect((await votesOfRun(cache, 'run-1').get('key'))?.unbilled).toEqual({ usd: null, at_least: cost_at_least });
});
