import { expect, test } from 'vitest';
import { createRefusals } from './refusals.ts';

const worker = { host: 'h', pid: 1, salvo_version: '1', labels: [], concurrency: 1, allowed_code: [] };
const refusal = { type: 'refusal', worker: 'a', message: 'a has no key' } as const;

test('that a worker refuses an order is said when no other can take it, or none did for a while', async () => {
  const clock = { now: 0 };
  let ids = ['a', 'b'];
  const refusals = createRefusals(
    async () => ids.map((worker_id) => ({ ...worker, worker_id })),
    () => clock.now,
  );
  refusals.add(refusal);
  expect(await refusals.reasons()).toEqual([]);
  ids = ['a'];
  expect(await refusals.reasons()).toEqual(['a has no key']);
  expect(await refusals.reasons()).toEqual([]);
  ids = ['a', 'b'];
  refusals.add(refusal);
  clock.now = 10_000;
  expect(await refusals.reasons()).toEqual(['a has no key']);
});
