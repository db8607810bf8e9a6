import type { Notice, WorkerDescription } from './work-queue.ts';

/** Why single workers take no jobs of an order, for the reader of the coordinator. */
export interface Refusals {
  add(notice: Extract<Notice, { type: 'refusal' }>): void;
  /** Called while jobs wait and no worker has one: reasons that were not returned before, if they matter. */
  reasons(): Promise<string[]>;
}

/** By then, a worker that could take jobs has opened the order. */
const OPENING_MS = 10_000;

/** As long as another worker may take the jobs, it does not matter who does not. */
export function createRefusals(
  fittingWorkers: () => Promise<readonly WorkerDescription[]>,
  now: () => number = () => performance.now(),
): Refusals {
  const refused = new Set<string>();
  let messages: string[] = [];
  let since = now();
  return {
    add({ worker, message }) {
      if (messages.length === 0) since = now();
      refused.add(worker);
      messages.push(message);
    },
    async reasons() {
      if (messages.length === 0) return [];
      const others = (await fittingWorkers()).filter(({ worker_id }) => !refused.has(worker_id));
      if (others.length > 0 && now() - since < OPENING_MS) return [];
      const due = messages;
      messages = [];
      return due;
    },
  };
}
