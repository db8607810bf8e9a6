import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchDatabase } from '../workers/bench-server.ts';

const LISTENERS = 100;
const NOTIFICATIONS = 200;
const DELIVERED_MS = 1000;

/** How much CPU time of the database it takes that one connection hears one notification, in milliseconds. */
export async function notificationCpuMs(database: BenchDatabase): Promise<number> {
  const clients = Array.from({ length: LISTENERS }, () => new pg.Client({ connectionString: database.url }));
  await Promise.all(clients.map((client) => client.connect()));
  await Promise.all(clients.map((client) => client.query('LISTEN bench')));
  const before = database.cpuSeconds();
  // One after the other, as jobs are added: several at once would be heard together.
  for (let count = 0; count < NOTIFICATIONS; count += 1) {
    await database.query('NOTIFY bench');
    await sleep(5);
  }
  await sleep(DELIVERED_MS);
  const cpuSeconds = database.cpuSeconds() - before;
  await Promise.all(clients.map((client) => client.end()));
  return (cpuSeconds * 1000) / NOTIFICATIONS / LISTENERS;
}
