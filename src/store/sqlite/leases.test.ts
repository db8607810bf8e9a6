import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleExperiment, sampleGame } from '../../../test/arena-experiment/sample-experiment.ts';
import { sampleRun, sampleStoredTrial } from '../../../test/sample-run.ts';
import { sampleSupportTrace } from '../../../test/sample-trace.ts';
import type { Lease } from '../../queue/lease.ts';
import type { Store } from '../store.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** Renewed so rarely that no test sees it. */
const LONG_MS = 3_600_000;
const run = { kind: 'run', id: 'run-1' } as const;
const experiment = { kind: 'experiment', id: 'exp-1' } as const;

let folder: string;
let open: (Store | Lease)[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'salvo-leases-'));
  open = [];
});
afterEach(async () => {
  for (const each of open.reverse()) await ('close' in each ? each.close() : each[Symbol.asyncDispose]());
  await rm(folder, { recursive: true, force: true });
});

async function openStore(leaseMs: number): Promise<Store> {
  const store = await openSqliteStore({ file: path.join(folder, 'salvo.db'), leaseMs });
  open.push(store);
  return store;
}

async function claim(store: Store, work: Parameters<Store['claim']>[0]): Promise<Lease> {
  const lease = await store.claim(work);
  open.push(lease);
  return lease;
}

function change(sql: string): void {
  const database = new DatabaseSync(path.join(folder, 'salvo.db'));
  database.exec(sql);
  database.close();
}

function beat(): number {
  const database = new DatabaseSync(path.join(folder, 'salvo.db'));
  const { beat: count } = database.prepare('SELECT beat FROM leases').get() ?? {};
  database.close();
  return Number(count);
}

/** Its process cannot be seen from here. */
const ELSEWHERE = `UPDATE leases SET holder = json_set(holder, '$.place', 'elsewhere:1')`;

test('a lease that is over is free', async () => {
  const store = await openStore(LONG_MS);
  await claim(store, run);
  change(`${ELSEWHERE}, expires_at = 0`);
  expect(await store.holderOf(run)).toBeNull();
  await claim(await openStore(LONG_MS), run);
  expect((await store.holderOf(run))?.pid).toBe(process.pid);
});

test('a lease that nobody renews is free after its time, however the clock was set', async () => {
  await claim(await openStore(LONG_MS), run);
  // As if the clock had been set back by years since the lease was renewed.
  change(`${ELSEWHERE}, expires_at = expires_at + 1e9`);
  const store = await openStore(40);
  expect((await store.holderOf(run))?.place).toBe('elsewhere:1');
  await expect(claim(store, run)).resolves.toBeDefined();
});

test('a lease that is renewed is refused', async () => {
  await claim(await openStore(40), run);
  const store = await openStore(LONG_MS / 1000);
  await expect(store.claim(run)).rejects.toMatchObject({ code: 'RUN_AT_WORK' });
});

test('a process whose lease was taken over can write nothing to the run any more, and learns it', async () => {
  const [first, second] = [await openStore(LONG_MS), await openStore(LONG_MS)];
  const lost = await claim(first, run);
  await first.createRun(sampleRun());
  change('UPDATE leases SET expires_at = 0');
  const taken = await claim(second, run);
  const refused = { code: 'LEASE_LOST', message: expect.stringContaining('taken over run run-1') };
  await expect(first.saveTrial(sampleStoredTrial())).rejects.toMatchObject(refused);
  await expect(first.updateRun('run-1', { status: 'finished' })).rejects.toMatchObject(refused);
  const { trace_id: _, result: __, ...trial } = sampleStoredTrial();
  await expect(first.saveTrace(sampleSupportTrace(), trial)).rejects.toMatchObject(refused);
  expect([lost.lost.aborted, taken.lost.aborted]).toEqual([true, false]);
  await second.saveTrial(sampleStoredTrial({ trial_number: 2 }));
  expect((await Array.fromAsync(second.trials('run-1'))).map(({ trial_number }) => trial_number)).toEqual([2]);
  // Giving back what was lost does not take it from the other one.
  await lost[Symbol.asyncDispose]();
  expect(await second.holderOf(run)).not.toBeNull();
});

test('a process is asked to stop, then to give up, and whoever comes next is not', async () => {
  const [first, second] = [await openStore(40), await openStore(LONG_MS)];
  const lease = await claim(first, run);
  const signals = () => [lease.stop.aborted, lease.abort.aborted, lease.lost.aborted];
  await second.askToStop(run);
  await expect.poll(signals, { timeout: 5000 }).toEqual([true, false, false]);
  await second.askToStop(run);
  await expect.poll(signals, { timeout: 5000 }).toEqual([true, true, false]);
  await lease[Symbol.asyncDispose]();
  const next = await claim(first, run);
  change('UPDATE leases SET beat = 0');
  await expect.poll(beat, { timeout: 5000 }).toBeGreaterThan(0);
  expect(next.stop.aborted).toBe(false);
});

test('the same holds for the games of an experiment', async () => {
  const [first, second] = [await openStore(LONG_MS), await openStore(LONG_MS)];
  await claim(first, experiment);
  await first.saveExperiment(sampleExperiment());
  change('UPDATE leases SET expires_at = 0');
  await claim(second, experiment);
  const refused = { code: 'LEASE_LOST', message: expect.stringContaining('taken over experiment exp-1') };
  await expect(first.saveGame(sampleGame())).rejects.toMatchObject(refused);
  await expect(first.saveExperiment(sampleExperiment({ status: 'finished' }))).rejects.toMatchObject(refused);
  await expect(second.saveGame(sampleGame())).resolves.toBeDefined();
});

test('what another process works on cannot be written to without a lease', async () => {
  const [first, second] = [await openStore(LONG_MS), await openStore(LONG_MS)];
  await claim(first, run);
  await first.createRun(sampleRun());
  await expect(second.saveTrial(sampleStoredTrial())).rejects.toMatchObject({ code: 'RUN_AT_WORK' });
});
