import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { budgetContract } from '../../../../test/limits/budget-contract.ts';
import { createDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { AS_SOURCES } from '../../../../test/source-process.ts';
import type { PaidCall } from '../../../salvo/src/models/budget/budget.ts';
import type { LimitTable, SharedLimits } from '../../../salvo/src/models/budget/shared-limits.ts';
import { LIMIT_TABLES, limitTable } from '../../src/limits/limit-table.ts';
import { closeSharedBudget, openSharedBudget, openSharedLimits } from '../../src/limits/shared-limits.ts';
import { migrateSchema } from '../../src/postgres/migrate-schema.ts';
import { openPostgres, type Postgres } from '../../src/postgres/postgres.ts';

let database: TestDatabase;
let postgres: Postgres;
let table: LimitTable;
const opened: SharedLimits[] = [];

beforeAll(async () => {
  database = await createDatabase();
  postgres = await openPostgres({ url: database.url });
  await migrateSchema(postgres, [LIMIT_TABLES]);
  table = limitTable(postgres);
});
afterAll(async () => {
  for (const limits of opened) await limits[Symbol.asyncDispose]();
  await postgres.close();
  await database[Symbol.asyncDispose]();
});

describe('the table of limits', () => {
  test('lets one process at a time change a limit, and loses no change', async () => {
    const add = (): Promise<number> =>
      table.update('count', ({ state }) => {
        const next = (typeof state === 'number' ? state : 0) + 1;
        return { state: next, result: next };
      });
    const counts = await Promise.all(Array.from({ length: 40 }, add));
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  test('keeps numbers as they are, and a limit that nothing was written to', async () => {
    const state = { cents: 0.1 + 0.2, small: 1e-9, large: 2 ** 52 + 1, none: null };
    await table.update('numbers', () => ({ state, result: null }));
    await table.update('numbers', () => ({ result: null }));
    expect(await table.update('numbers', (row) => ({ result: row.state }))).toEqual(state);
    await table.remove('numbers');
    expect(await table.update('numbers', (row) => ({ result: row.state }))).toBeNull();
    expect(await database.query(`SELECT page FROM salvo.limit_pages WHERE page = 'numbers'`)).toEqual([]);
  });

  test('leaves a limit as it was when the change fails', async () => {
    await table.update('kept', () => ({ state: 1, result: null }));
    const failing = table.update('kept', () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await table.update('kept', (row) => ({ result: row.state }))).toBe(1);
  });

  test('knows who had a heartbeat, and tells what is wanted', async () => {
    const alive = (member: string) => table.update('life', (row) => ({ result: row.isAlive(member) }));
    expect(await alive('new')).toBe(false);
    expect(await table.heartbeat('new', ['life', 'nothing'])).toEqual([]);
    expect(await alive('new')).toBe(true);
    await table.update('life', () => ({ state: 1, isWanted: true, result: null }));
    expect(await table.heartbeat('new', ['life', 'nothing'])).toEqual(['life']);
    expect(await table.heartbeat('new', [])).toEqual([]);
  });
});

let budgets = 0;
budgetContract('in PostgreSQL', async (limitUsd, earlier = { spentUsd: 0 }) => {
  budgets += 1;
  const work = { kind: 'run', id: `contract-${budgets}` } as const;
  await openSharedBudget(table, work, { limitUsd, ...earlier });
  const limits = openSharedLimits(table);
  opened.push(limits);
  return limits.budgetOf(work, limitUsd);
});

/** Counts the messages to the server: a statement, or several that are sent together. */
function counted(given: Postgres): Postgres & { messages: number } {
  const counting = {
    ...given,
    messages: 0,
    query: (...statement: Parameters<Postgres['query']>) => {
      counting.messages += 1;
      return given.query(...statement);
    },
    transaction: <T>(...[work, around]: Parameters<typeof given.transaction<T>>) => {
      // The begin and the end.
      counting.messages += 2;
      return given.transaction<T>((sql) => {
        const query: typeof sql.query = (...statement) => {
          counting.messages += 1;
          return sql.query(...statement);
        };
        return work({ ...sql, query });
      }, around);
    },
  };
  return counting;
}

describe('the messages to PostgreSQL', () => {
  test('are three for an update, and one for a heartbeat', async () => {
    const server = counted(postgres);
    const limits = limitTable(server);
    const add = () => limits.update('messages', ({ state }) => ({ state: Number(state) + 1, result: state }));
    await add();
    server.messages = 0;
    expect(await add()).toBe(1);
    expect(server.messages).toBe(3);
    await limits.heartbeat('me', ['messages']);
    expect(server.messages).toBe(4);
  });

  test('are fewer than one for three calls of a model', async () => {
    const work = { kind: 'run', id: 'messages' } as const;
    await openSharedBudget(table, work, { limitUsd: 100, spentUsd: 0 });
    const server = counted(postgres);
    const call: PaidCall = { kind: 'agent', place: 0, estimateUsd: null, mostUsd: 0.02 };
    let trials = 200;
    const workers = [1, 2].map(async () => {
      await using limits = openSharedLimits(limitTable(server));
      const budget = limits.budgetOf(work, 100);
      const perform = async (): Promise<void> => {
        while (trials > 0) {
          trials -= 1;
          const trial = await budget.reserve(0);
          for (let turn = 0; turn < 3; turn += 1) {
            const admitted = await trial?.admit(async () => call);
            await sleep(5);
            admitted?.paid(0.01);
          }
          trial?.release();
        }
      };
      await Promise.all([1, 2, 3, 4].map(perform));
    });
    await Promise.all(workers);
    expect(server.messages).toBeLessThan(200);
  });
});

test('workers keep a budget together, and give back what they do not need', async () => {
  const work = { kind: 'run', id: 'abc' } as const;
  await openSharedBudget(table, work, { limitUsd: 0.1, spentUsd: 0.02, highest: new Map([[0, 0.004]]) });
  const call: PaidCall = { kind: 'agent', place: 0, estimateUsd: null, mostUsd: 0.008 };
  let trials = 0;
  const refusals = await Promise.all(
    [1, 2, 3].map(async () => {
      await using limits = openSharedLimits(table);
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
  await closeSharedBudget(table, work);
  expect(await database.query(`SELECT page FROM salvo.limit_pages WHERE page LIKE 'budget%/abc'`)).toEqual([]);
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
    await sleep(seen.senders.size < 2 ? 1000 : 10);
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
