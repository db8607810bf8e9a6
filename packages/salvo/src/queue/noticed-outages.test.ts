import { expect, test } from 'vitest';
import { createNoticedOutages, outageGroup } from './noticed-outages.ts';

const workers = ['a', 'b'].map((worker_id) => ({
  ...{ worker_id, host: `host-${worker_id}`, pid: 1, salvo_version: '1' },
  ...{ labels: [], concurrency: 1, allowed_code: [] },
}));
const joined = (worker: string) => ({ type: 'joined', worker, tears_down: false, message: '' }) as const;
const outage = (worker: string, adapter = 'openai') =>
  ({ type: 'outage', worker, adapter, model: 'm', message: 'wrong key', code: 'AUTH' }) as const;

function noticed(...notices: Parameters<ReturnType<typeof createNoticedOutages>['add']>[0][]) {
  const clock = { now: 0 };
  const outages = createNoticedOutages(() => clock.now);
  for (const notice of notices) outages.add(notice);
  const decide = (present = workers) => outages.decide(async () => present);
  return { clock, decide, outages, isOut: (adapter = 'openai') => outages.outageOf(adapter, 'm').proof !== null };
}

test('a provider that one worker cannot reach is not out while another one takes part', async () => {
  const { clock, decide, isOut } = noticed(joined('a'), joined('b'), outage('a'));
  expect(await decide()).toEqual(['The worker on host-a (process 1) takes nothing more of it: wrong key']);
  clock.now = 60_000;
  expect(await decide()).toEqual([]);
  expect(isOut()).toBe(false);
  await decide(workers.slice(0, 1));
  expect(isOut()).toBe(true);
});

test('it is out at once when all workers say so, or refuse the work', async () => {
  const all = noticed(joined('a'), joined('b'), outage('a'), outage('b'));
  expect(await all.decide()).toEqual([]);
  expect(all.isOut()).toBe(true);
  const other = noticed(joined('a'), outage('a'), { type: 'refusal', worker: 'b', message: 'no key' });
  expect(other.outages.outGroups()).toEqual([]);
  await other.decide();
  expect(other.isOut()).toBe(true);
  expect(other.outages.outGroups()).toEqual([outageGroup({ adapter: 'openai', model: 'm' })]);
});

test('a worker that has not opened the order gets some time to do so', async () => {
  const { clock, decide, isOut } = noticed(joined('a'), outage('a'));
  await decide();
  expect(isOut()).toBe(false);
  clock.now = 29_000;
  await decide();
  expect(isOut()).toBe(false);
  clock.now = 30_001;
  await decide();
  expect(isOut()).toBe(true);
});

test('workers that wait for different providers do not wait for each other', async () => {
  const { decide, isOut } = noticed(joined('a'), joined('b'), outage('a', 'openai'), outage('b', 'anthropic'));
  await decide();
  expect([isOut('openai'), isOut('anthropic')]).toEqual([true, true]);
});
