import { afterAll, beforeAll } from 'vitest';
import { createRedactor } from '../../src/secrets/redactor.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { redactingStore } from '../../src/store/redaction/redacting-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabase, type TestDatabase } from '../postgres.ts';
import { storeContract } from './store-contract.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

/** All tables of the last test are emptied: that is much faster than a new database. */
async function emptyStore(): Promise<Store> {
  const store = await openPostgresStore({ url: database.url });
  await database.query(
    `TRUNCATE salvo.blobs, salvo.traces, salvo.runs, salvo.run_scenarios, salvo.trials, salvo.calibrations, salvo.labels,
     salvo.experiments, salvo.games, salvo.game_code, salvo.leases`,
  );
  return store;
}

storeContract('a PostgreSQL store', async () => {
  const redactor = createRedactor({ customPatterns: ['CUST-\\d+'], secrets: ['a very secret value'] });
  return redactingStore(await emptyStore(), { redactor, mode: 'full' });
});
