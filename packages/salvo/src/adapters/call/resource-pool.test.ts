import { expect, test } from 'vitest';
import { resourcePool } from './resource-pool.ts';

test('when all items are taken, users wait and are served in the order of their requests', async () => {
  const pool = resourcePool(['a']);
  const order: string[] = [];
  const use = async (name: string) => {
    const item = await pool.take(undefined);
    order.push(name);
    pool.giveBack(item);
  };
  const item = await pool.take(undefined);
  const users = [use('first'), use('second'), use('third')];
  expect(order).toEqual([]);
  pool.giveBack(item);
  await Promise.all(users);
  expect(order).toEqual(['first', 'second', 'third']);
});

test('a user that is cancelled while waiting leaves the queue', async () => {
  const pool = resourcePool(['a']);
  const item = await pool.take(undefined);
  const controller = new AbortController();
  const cancelled = pool.take(controller.signal);
  const next = pool.take(undefined);
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ kind: 'aborted' });
  pool.giveBack(item);
  await expect(next).resolves.toBe('a');
  await expect(pool.take(AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted' });
});
