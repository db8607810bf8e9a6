import { createMemoryQueue } from './memory-queue.ts';
import { workQueueContract } from './work-queue-contract.ts';

workQueueContract('a queue in memory', async () => {
  const queue = createMemoryQueue();
  return {
    lead: queue,
    work: queue,
    lose: async (workerId) => queue.lose(workerId),
    transaction: (write) => write({ executeSql: async (text) => ({ rows: text === 'SELECT' ? [{}] : [] }) }),
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
});
