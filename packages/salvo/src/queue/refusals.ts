import type { Notice, WorkerDescription } from './work-queue.ts';

/** By then, a worker that could take jobs has opened the order. */
const OPENING_MS = 10_000;

/**
 * Why single workers take no jobs of an order, for the reader of the coordinator. As long as another worker may take the
 * jobs, it does not matter who does not.
 */
export function createRefusals(
  fittingWorkers: () => Promise<readonly WorkerDescription[]>,
  now: () => number = () => performance.now(),
) {
  const refused = new Set<string>();
  let messages: string[] = [];
  let since = now();
  return {
    add({ worker, message }: Extract<Notice, { type: 'refusal' }>): void {
      if (messages.length === 0) since = now();
      refused.add(worker);
      messages.push(message);
    },
    /** Called while jobs wait and no worker has one: reasons that were not returned before, if they matter. */
    async reasons(): Promise<string[]> {
      if (messages.length === 0) return [];
      const others = (await fittingWorkers()).filter(({ worker_id }) => !refused.has(worker_id));
      if (others.length > 0 && now() - since < OPENING_MS) return [];
      const due = messages;
      messages = [];
      return due;
    },
  };
}
