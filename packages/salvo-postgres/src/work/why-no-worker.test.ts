import { describe, expect, test } from 'vitest';
import type { WorkerDescription, WorkOrder } from '../../../salvo/src/queue/work-queue.ts';
import { whyNoWorker, whyWaiting } from './why-no-worker.ts';

const order = (changes: Partial<WorkOrder> = {}, labels: string[] = []): WorkOrder => ({
  work: { kind: 'experiment', id: 'e1' },
  salvo_version: '1.0.0',
  bundle: 'p',
  code: [],
  settings: { labels: [labels], budget_usd: null, files: {}, own: {} },
  ...changes,
});
const worker = (changes: Partial<WorkerDescription> = {}): WorkerDescription => ({
  ...{ worker_id: 'w', host: 'a', pid: 1, salvo_version: '1.0.0', labels: [], concurrency: 4, allowed_code: [] },
  ...changes,
});

describe('why no worker takes jobs', () => {
  test.each([
    ['no worker is there', [], order(), 'No worker is there. Start one where the work should be done: salvo worker,'],
    [
      'another version',
      [worker({ salvo_version: '0.9.0' })],
      order(),
      'another version of Salvo (a (process 1): 0.9.0). This experiment needs 1.0.0, so that',
    ],
    [
      'code is not allowed',
      [worker({ allowed_code: ['h1'] })],
      order({ code: ['h1', 'h2'] }),
      'salvo worker --allow-code',
    ],
    ['a label is missing', [worker({ labels: ['eu'] })], order({}, ['eu', 'gpu']), 'salvo worker --labels eu,gpu'],
  ])('%s', (_, workers, wanted, says) => {
    expect(whyNoWorker(workers, wanted)).toContain(says);
  });

  test('what waits in another process is not told to add workers of its own', async () => {
    const waits = {
      work: order().work,
      salvo_version: '1.0.0',
      has_coordinator: true,
      waiting: 2,
      active: 0,
      failed: 0,
    };
    const queueWith = (jobs: typeof waits, workers: WorkerDescription[] = []) => {
      const heard = workers.map((each) => ({ ...each, idle_s: 0 }));
      return {
        status: async () => ({ orders: [jobs], workers: heard }),
        orderOf: async () => order(),
        workers: async () => workers,
      };
    };
    const ask = (queue: Parameters<typeof whyWaiting>[0]) => whyWaiting(queue, order().work);
    expect(await ask(queueWith(waits))).toMatch(/^No worker is there\. .*: salvo worker$/);
    expect(await ask(queueWith(waits, [worker()]))).toBeNull();
    expect(await ask(queueWith({ ...waits, active: 1 }))).toBeNull();
    expect(await ask(queueWith({ ...waits, waiting: 0 }))).toBeNull();
    expect(await ask({ ...queueWith(waits), orderOf: async () => Promise.reject(new Error()) })).toBeNull();
  });

  test('nothing, if one worker has all of it', () => {
    const fits = worker({ labels: ['gpu', 'eu'], allowed_code: 'all' });
    expect(whyNoWorker([worker(), fits], order({ code: ['h1'] }, ['gpu']))).toBeNull();
  });
});
