import type { WorkQueue } from 'salvo/kit/queue';

/** A queue that is opened when it is first used: most commands only read results. */
export function queueOnDemand(open: () => Promise<WorkQueue>): WorkQueue {
  let opened: Promise<WorkQueue> | null = null;
  async function queue(): Promise<WorkQueue> {
    const opening = opened ?? open();
    opened = opening;
    // One that could not be opened is tried again.
    opening.catch(() => {
      if (opened === opening) opened = null;
    });
    return await opening;
  }
  return {
    coordinate: async (order, options) => (await queue()).coordinate(order, options),
    orderOf: async (work) => (await queue()).orderOf(work),
    join: async (worker) => (await queue()).join(worker),
    workers: async () => (await queue()).workers(),
    status: async () => (await queue()).status(),
    missingFiles: async (hashes) => (await queue()).missingFiles(hashes),
    saveFiles: async (files) => (await queue()).saveFiles(files),
    readFiles: async (hashes) => (await queue()).readFiles(hashes),
    prune: async (before) => (await queue()).prune(before),
    async [Symbol.asyncDispose]() {
      const last = opened;
      opened = null;
      await (await last?.catch(() => null))?.[Symbol.asyncDispose]();
    },
  };
}
