import { describe, expect, test, vi } from 'vitest';
import type { Notice, TakenJob } from '../../../salvo/src/queue/work-queue.ts';
import { createRedactor } from '../../../salvo/src/secrets/redactor.ts';
import { sampleJobs } from '../../test/queue/sample-order.ts';
import { createJobPerformer, createNotifier } from './job-performer.ts';

const proof = { message: 'wrong key', code: 'AUTH' };

/** A worker whose jobs end as `perform` says, with one model that it cannot reach and one that it can. */
async function arrange(
  perform: () => Promise<'done' | 'nothing' | 'elsewhere'>,
  {
    refusal = null,
    attempt = 1,
    notify,
  }: { refusal?: string | null; attempt?: number; notify?: (notice: Notice) => Promise<void> } = {},
) {
  const notices: Notice[] = [];
  const ended: string[] = [];
  const stop = new AbortController();
  const performer = await createJobPerformer(
    {
      signals: { stop: stop.signal, abort: stop.signal },
      redactor: createRedactor({ customPatterns: [], secrets: [] }),
      worker: 'w',
      notify: notify ?? (async (notice) => void notices.push(notice)),
    },
    async () => ({
      perform,
      models: {
        waitsForCoordinator: () => true,
        budget: { refusal },
        asked: [
          { adapter: 'x', model: 'out' },
          { adapter: 'x', model: 'reached' },
        ],
        outageOf: (_, model) => ({ proof: model === 'out' ? proof : null }),
      },
      [Symbol.asyncDispose]: async () => {},
    }),
  );
  const [sample] = sampleJobs(1);
  if (!sample) throw new Error('no job');
  const job: TakenJob = {
    ...sample,
    work: { kind: 'run', id: 'run-1' },
    attempt,
    lost: new AbortController().signal,
    isUntouched: true,
    confirm: async () => {},
    lease: { jobId: 'job-1', token: 1, hasEnded: false },
    done: async () => void ended.push('done'),
    failed: async (reason) => void ended.push(`failed: ${reason}`),
    giveBack: async () => void ended.push('given back'),
  };
  return {
    notices,
    ended,
    stop,
    performer,
    isDone: await performer.perform(job),
    perform: () => performer.perform(job),
  };
}

describe('a job of any kind', () => {
  test('is ended with its result, and the coordinator hears which models cannot be reached from here', async () => {
    const { isDone, ended, notices } = await arrange(async () => 'done');
    expect(isDone).toBe(true);
    expect(ended).toEqual(['done']);
    expect(notices).toEqual([{ type: 'outage', worker: 'w', adapter: 'x', model: 'out', ...proof }]);
  });

  test('is given back if another worker may do it', async () => {
    expect((await arrange(async () => 'elsewhere')).ended).toEqual(['given back']);
  });

  test('that gives no result is ended, unless this worker leaves', async () => {
    const { ended, stop, perform } = await arrange(async () => 'nothing');
    stop.abort();
    await perform();
    expect(ended).toEqual(['done', 'given back']);
  });

  test('that fails says why, and the coordinator hears that the budget is used up', async () => {
    const { isDone, ended, notices } = await arrange(() => Promise.reject(new Error('broken')), {
      refusal: 'nothing left',
    });
    expect(isDone).toBe(false);
    expect(ended).toEqual(['failed: broken']);
    expect(notices[0]).toEqual({ type: 'budget', message: 'nothing left' });
  });

  test('that repeats an attempt says so first: the coordinator may not look while the job waits', async () => {
    const { notices } = await arrange(async () => 'done', { attempt: 2 });
    expect(notices.map(({ type }) => type)).toEqual(['repeated', 'outage']);
  });

  test('does not wait for a coordinator that could not be told why', async () => {
    const notify = vi.fn(async () => {}).mockRejectedValueOnce(new Error('disk full'));
    const { ended, performer, perform } = await arrange(async () => 'elsewhere', { notify });
    expect([ended, performer.isWaiting()]).toEqual([['failed: disk full'], false]);
    await perform();
    expect([ended, performer.isWaiting()]).toEqual([['failed: disk full', 'given back'], true]);
  });
});

test('the coordinator is told each thing once, and again if that failed', async () => {
  const notify = vi.fn(async () => {}).mockRejectedValueOnce(new Error('disk full'));
  const tell = createNotifier(
    { session: { notify }, opening: { work: { kind: 'run', id: 'run-1' }, generation: 1 }, onPaused: () => {} },
    createRedactor({ customPatterns: [], secrets: [] }),
  );
  const notice: Notice = { type: 'warning', message: 'no' };
  await expect(tell(notice)).rejects.toThrow('disk full');
  await tell(notice);
  await tell(notice);
  expect(notify).toHaveBeenCalledTimes(2);
});
