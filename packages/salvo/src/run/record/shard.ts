import type { PlannedCase } from './planned-cases.ts';
import type { Shard } from './run-record.ts';

const MOST_SHARDS = 10_000;

/** As on the command line: `2/4`. */
export function shardName({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** The shard of a text such as `2/4`; null if it is none. */
export function readShard(text: string): Shard | null {
  const [, index, count] = /^(\d{1,5})\/(\d{1,5})$/.exec(text.trim()) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return isShard(shard) ? shard : null;
}

export function isShard({ index, count }: Shard): boolean {
  return Number.isInteger(index) && index >= 1 && index <= count && Number.isInteger(count) && count <= MOST_SHARDS;
}

/**
 * The cases of each scenario with the trials of one shard. All trials are dealt out in turn, in order of scenario, case
 * and number: shards differ by at most one trial, also in each scenario. A case without a trial is left out, unless it is skipped.
 */
export function casesOfShard(scenarios: readonly (readonly PlannedCase[])[], shard: Shard): PlannedCase[][] {
  let before = 0;
  return scenarios.map((cases) =>
    cases.flatMap((each) => {
      // The first of the shard's trials among those of the case, counted from 0.
      const offset = (shard.index - 1 - (before % shard.count) + shard.count) % shard.count;
      before += each.trials;
      const trials = Math.max(0, Math.ceil((each.trials - offset) / shard.count));
      if (trials === 0 && each.skip === null) return [];
      return [{ ...each, trials, numbers: { first: offset + 1, step: shard.count } }];
    }),
  );
}
