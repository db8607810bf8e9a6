import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Lease } from '../../packages/salvo/src/queue/lease.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { sampleRun, sampleStoredTrial } from '../sample-run.ts';
import { sampleSupportTrace } from '../sample-trace.ts';

/** A database for several stores, whose one lease a test can change as time and other machines would. */
export interface LeaseDatabase {
  open(leaseMs: number): Promise<Store>;
  /** `elsewhere`: its process cannot be seen from here. */
  change(lease: { elsewhere?: boolean; expires?: 'long ago' | 'in years'; beat?: number }): Promise<void>;
  /** How often it was renewed. */
  beat(): Promise<number>;
}

/** Renewed so rarely that no test sees it. */
const LONG_MS = 3_600_000;
/** Renewed several times a second, and not over when this process has to wait for a second. */
const RENEWED_MS = 3000;
const run = { kind: 'run', id: 'run-1' } as const;

/** What leases of every store must do. `create` gives an empty database. */
export function leaseContract(name: string, create: () => Promise<LeaseDatabase>): void {
  describe(`leases of ${name}`, () => {
    let database: LeaseDatabase;
    let open: (Store | Lease)[];

    beforeEach(async () => {
      database = await create();
      open = [];
    });
    afterEach(async () => {
      for (const each of open.reverse()) await ('close' in each ? each.close() : each[Symbol.asyncDispose]());
    });

    async function openStore(leaseMs: number): Promise<Store> {
      const store = await database.open(leaseMs);
      open.push(store);
      return store;
    }

    async function claim(store: Store, work: Parameters<Store['claim']>[0]): Promise<Lease> {
      const lease = await store.claim(work);
      open.push(lease);
      return lease;
    }

    test('a lease that is over is free', async () => {
      const store = await openStore(LONG_MS);
      await claim(store, run);
      await database.change({ elsewhere: true, expires: 'long ago' });
      expect(await store.holderOf(run)).toBeNull();
      await claim(await openStore(RENEWED_MS), run);
      expect((await store.holderOf(run))?.pid).toBe(process.pid);
    });

    test('a lease that was over after an outage stays with its holder, who renews it when the database is back', async () => {
      await claim(await openStore(LONG_MS), run);
      await database.change({ elsewhere: true, expires: 'long ago' });
      const claimed = (await openStore(LONG_MS / 1000)).claim(run);
      const refused = expect(claimed).rejects.toMatchObject({ code: 'AT_WORK' });
      const ended = refused.then(
        () => true,
        () => true,
      );
      for (let beat = 100; !(await Promise.race([ended, sleep(20, false)])); beat += 1) await database.change({ beat });
      await refused;
    });

    test('a lease that nobody renews is free after its time, however the clock was set', async () => {
      await claim(await openStore(LONG_MS), run);
      // As if the clock had been set back by years since the lease was renewed.
      await database.change({ elsewhere: true, expires: 'in years' });
      const store = await openStore(40);
      expect((await store.holderOf(run))?.place).toBe('elsewhere:1');
      await expect(claim(store, run)).resolves.toBeDefined();
    });

    test('a lease that is renewed is refused', async () => {
      await claim(await openStore(LONG_MS), run);
      const claimed = (await openStore(LONG_MS / 1000)).claim(run);
      const refused = expect(claimed).rejects.toMatchObject({ code: 'AT_WORK' });
      const ended = refused.then(
        () => true,
        () => true,
      );
      for (let beat = 100; !(await Promise.race([ended, sleep(20, false)])); beat += 1) await database.change({ beat });
      await refused;
    });

    test('a process whose lease was taken over can write nothing to the run any more, and learns it', async () => {
      const [first, second] = [await openStore(LONG_MS), await openStore(RENEWED_MS)];
      const lost = await claim(first, run);
      await first.createRun(sampleRun());
      await database.change({ expires: 'long ago' });
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
      const [first, second] = [await openStore(RENEWED_MS), await openStore(LONG_MS)];
      const lease = await claim(first, run);
      const signals = () => [lease.stop.aborted, lease.abort.aborted, lease.lost.aborted];
      await second.askToStop(run);
      await expect.poll(signals).toEqual([true, false, false]);
      await second.askToStop(run);
      await expect.poll(signals).toEqual([true, true, false]);
      await lease[Symbol.asyncDispose]();
      const next = await claim(first, run);
      await database.change({ beat: 0 });
      await expect.poll(() => database.beat()).toBeGreaterThan(0);
      expect(next.stop.aborted).toBe(false);
    });

    test('what another process works on cannot be written to without a lease', async () => {
      const [first, second] = [await openStore(LONG_MS), await openStore(LONG_MS)];
      await claim(first, run);
      await first.createRun(sampleRun());
      await expect(second.saveTrial(sampleStoredTrial())).rejects.toMatchObject({ code: 'AT_WORK' });
    });
  });
}
