import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trialNumberAt } from './planned-cases.ts';
import { casesOfShard, readShard } from './shard.ts';

const plannedScenarios = fc.array(
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 6 }).map((trials) =>
    trials.map((count, index) => ({
      index,
      name: `case ${index}`,
      trials: count,
      skip: count === 0 ? 'later' : null,
      quarantine: null,
    })),
  ),
  { maxLength: 5 },
);

function keysOf(scenarios: ReturnType<typeof casesOfShard>): string[] {
  return scenarios.flatMap((cases, scenario) =>
    cases.flatMap((each) =>
      Array.from(
        { length: each.trials },
        (_, position) => `${scenario}/${each.index}/${trialNumberAt(each, position)}`,
      ),
    ),
  );
}

describe('the trials of a run, divided into shards', () => {
  it('are each in exactly one shard, and shards differ by at most one trial, in each scenario as well', () => {
    fc.assert(
      fc.property(plannedScenarios, fc.integer({ min: 1, max: 7 }), (scenarios, count) => {
        const shards = Array.from({ length: count }, (_, at) => casesOfShard(scenarios, { index: at + 1, count }));
        const all = shards.flatMap(keysOf);
        expect([...all].sort()).toEqual(keysOf(scenarios).sort());
        const spread = (sizes: number[]) => Math.max(...sizes) - Math.min(...sizes);
        expect(spread(shards.map((shard) => keysOf(shard).length))).toBeLessThanOrEqual(1);
        for (const position of scenarios.keys()) {
          const sizes = shards.map((shard) => keysOf([shard[position] ?? []]).length);
          expect(spread(sizes)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('keep skipped cases in every shard, because they have no trial that could be lost', () => {
    const skipped = { index: 0, name: 'a', trials: 0, skip: 'later', quarantine: null };
    expect(casesOfShard([[skipped]], { index: 2, count: 2 })).toMatchObject([[{ name: 'a', trials: 0 }]]);
  });
});

it.each(['0/4', '5/4', '1/0', '', '2', '2/4/1', '-1/2', '1.5/2', 'auto', '1/99999'])('"%s" is no shard', (text) => {
  expect(readShard(text)).toBeNull();
});

it('2/4 is the second of four shards', () => {
  expect(readShard(' 2/4 ')).toEqual({ index: 2, count: 4 });
});
