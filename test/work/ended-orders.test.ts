import { expect, test } from 'vitest';
import { leadRunOrder, workforceOf } from '../../src/app/work/lead-order.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { createDatabase } from '../postgres.ts';
import { sampleRun } from '../sample-run.ts';

test('an order that has ended since a worker saw it is not opened again', async () => {
  await using database = await createDatabase();
  const store = await openPostgresStore({ url: database.url });
  const run = sampleRun({ status: 'finished' });
  const work = { kind: 'run' as const, id: run.run_id };
  await store.createRun(run);
  const none = { early_stop: false, retries: null, judge_cache: true, budget_usd: null, judges: [], baseline: null };
  const settings: Record<string, unknown> = { ...none, labels: [[]], judge: {} };
  const order = { work, salvo_version: '1.0.0', parcel: '', code: [], settings };
  await expect(leadRunOrder({ store, order, run, resumed: true, isTakenOver: true })).rejects.toMatchObject({
    code: 'ORDER_ENDED',
  });
  expect(await workforceOf(store).queue.orderOf(work)).toBeNull();
  expect(await store.holderOf(work)).toBeNull();
  expect(await store.getRun(run.run_id)).toMatchObject({ status: 'finished' });
  await store.close();
});
