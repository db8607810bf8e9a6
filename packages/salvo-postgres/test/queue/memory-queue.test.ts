import { createMemoryQueue } from './memory-queue.ts';
import { workQueueContract } from './work-queue-contract.ts';

workQueueContract('a queue in memory', async () => {
  const queue = createMemoryQueue();
  return {
    lead: queue,
    work: queue,
    lose: async (workerId) => queue.lose(workerId),
    holds: async (lease, { ends } = { ends: false }) => (ends ? queue.end(lease) : queue.holds(lease)),
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
});
