import { once } from 'node:events';
import type { AdapterOptions } from '../../../salvo/src/adapters/adapter-options-schema.ts';
import { limitTable } from '../../src/limits/limit-table.ts';
import { openSharedLimits } from '../../src/limits/shared-limits.ts';
import { openPostgres } from '../../src/postgres/postgres.ts';

/** A process that sends as many requests as the limits allow, from the message `begin` to the next. */
async function send({ name, url, adapter }: { name: string; url: string; adapter: AdapterOptions & { url: string } }) {
  await using postgres = await openPostgres({ url });
  await using limits = openSharedLimits(limitTable(postgres));
  const limiter = limits.limitersOf({ root: process.cwd(), adapters: { model: adapter }, env: {} })('model');
  process.send?.('ready');
  await once(process, 'message');
  const stop = new AbortController();
  const sender = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await limiter.run(async () => {
        await fetch(adapter.url, { headers: { 'x-sender': name } }).then((response) => response.text());
      }, stop.signal);
    }
  };
  const sending = Promise.allSettled(Array.from({ length: 4 }, sender));
  await once(process, 'message');
  stop.abort();
  await sending;
}

process.once('message', (given: Parameters<typeof send>[0]) => {
  send(given).then(() => process.disconnect());
});
