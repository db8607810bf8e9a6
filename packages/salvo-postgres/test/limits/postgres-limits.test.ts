import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { AS_SOURCES } from '../../../../test/source-process.ts';
import type { PaidCall } from '../../../salvo/src/models/budget/budget.ts';
import type { Ledger } from '../../../salvo/src/queue/ledger.ts';
import { LIMIT_TABLES, postgresLedger } from '../../src/limits/postgres-ledger.ts';
import { closeBudgetAccount, openBudgetAccount, openSharedLimits } from '../../src/limits/shared-limits.ts';
import { migrateSchema } from '../../src/postgres/migrate-schema.ts';
import { openPostgres, type Postgres } from '../../src/postgres/postgres.ts';

let database: TestDatabase;
let postgres: Postgres;
let ledger: Ledger;

beforeAll(async () => {
  database = await createDatabase();
  postgres = await openPostgres({ url: database.url });
  await migrateSchema(postgres, [LIMIT_TABLES]);
  ledger = postgresLedger(postgres);
});
afterAll(async () => {
  await postgres.close();
  await database[Symbol.asyncDispose]();
});

describe('a ledger', () => {
  test('lets one process at a time change a page, and loses no change', async () => {
    const add = (): Promise<number> =>
      ledger.change('count', ({ state }) => {
        const next = (typeof state === 'number' ? state : 0) + 1;
        return { state: next, result: next };
      });
    const counts = await Promise.all(Array.from({ length: 40 }, add));
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  test('keeps numbers as they are, and a page that nothing was written to', async () => {
    const state = { cents: 0.1 + 0.2, small: 1e-9, large: 2 ** 52 + 1, none: null };
    await ledger.change('numbers', () => ({ state, result: null }));
    await ledger.change('numbers', () => ({ result: null }));
    expect(await ledger.change('numbers', (page) => ({ result: page.state }))).toEqual(state);
    await ledger.remove('numbers');
    expect(await ledger.change('numbers', (page) => ({ result: page.state }))).toBeNull();
    expect(await database.query(`SELECT page FROM salvo.limit_pages WHERE page = 'numbers'`)).toEqual([]);
  });

  test('leaves a page as it was when the change fails', async () => {
    await ledger.change('kept', () => ({ state: 1, result: null }));
    const failing = ledger.change('kept', () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await ledger.change('kept', (page) => ({ result: page.state }))).toBe(1);
  });

  test('knows who was heard of, and tells what is wanted', async () => {
    const alive = (member: string) => ledger.change('life', (page) => ({ result: page.isAlive(member) }));
    expect(await alive('new')).toBe(false);
    expect(await ledger.renew('new', ['life', 'nothing'])).toEqual([]);
    expect(await alive('new')).toBe(true);
    await ledger.change('life', () => ({ state: 1, isWanted: true, result: null }));
    expect(await ledger.renew('new', ['life', 'nothing'])).toEqual(['life']);
    expect(await ledger.renew('new', [])).toEqual([]);
  });
});

test('workers keep a budget together, and give back what they do not need', async () => {
  const work = { kind: 'run', id: 'abc' } as const;
  await openBudgetAccount(ledger, work, { limitUsd: 0.1, spentUsd: 0.02, highest: new Map([[0, 0.004]]) });
  const call: PaidCall = { kind: 'agent', place: 0, estimateUsd: null, mostUsd: 0.008 };
  let trials = 0;
  const refusals = await Promise.all(
    [1, 2, 3].map(async () => {
      await using limits = openSharedLimits(ledger);
      const budget = limits.budgetOf(work, 0.1);
      const perform = async (): Promise<void> => {
        for (;;) {
          const trial = await budget.reserve(0);
          if (!trial) return;
          trials += 1;
          (await trial.admit(async () => call)).paid(0.004);
          trial.release();
        }
      };
      await Promise.all([perform(), perform()]);
      return budget.refusal;
    }),
  );
  expect(trials).toBe(20);
  expect(new Set(refusals)).toEqual(new Set(['another trial could exceed the budget of $0.1; $0.10 is spent']));
  const page = await database.query(`SELECT state FROM salvo.limit_pages WHERE page = 'budget/1/run/abc'`);
  expect(JSON.stringify(page)).not.toContain('agent');
  await closeBudgetAccount(ledger, work);
  expect(await database.query(`SELECT page FROM salvo.limit_pages WHERE page LIKE 'budget%'`)).toEqual([]);
});

/** Counts what it gets, whoever sends it. Answers are slow until both senders have begun. */
async function startCountingServer() {
  let running = 0;
  const seen = { requests: 0, mostRunning: 0, senders: new Set<string>() };
  const three = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    running += 1;
    seen.requests += 1;
    seen.mostRunning = Math.max(seen.mostRunning, running);
    seen.senders.add(String(request.headers['x-sender']));
    if (running === 3) three.resolve();
    await three.promise;
    await sleep(seen.senders.size < 2 ? 300 : 10);
    running -= 1;
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test('processes keep the limits of a provider together: requests at once, and per minute', async () => {
  const server = await startCountingServer();
  const adapter = { type: 'http', url: server.url, max_concurrency: 3, requests_per_minute: 30 };
  const senders = ['a', 'b'].map((name) => {
    const sender = fork(new URL('./sender.ts', import.meta.url), {
      execArgv: AS_SOURCES,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    sender.send({ name, url: database.url, adapter });
    return sender;
  });
  const exits = senders.map((sender) => once(sender, 'exit'));
  await Promise.all(senders.map((sender) => once(sender, 'message')));
  for (const sender of senders) sender.send('begin');
  await expect.poll(() => server.seen.requests).toBeGreaterThanOrEqual(30);
  // Time for a request too many to come, if there is one.
  await sleep(500);
  for (const sender of senders) sender.send('end');
  await Promise.all(exits);
  server.close();
  expect(server.seen.requests).toBe(30);
  expect(server.seen.mostRunning).toBe(3);
  expect(server.seen.senders.size).toBe(2);
});
