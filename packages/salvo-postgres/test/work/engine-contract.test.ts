import { runWorker } from '../../src/work/worker.ts';
import { engineContract } from './engine-contract.ts';

// In this process: `npm run test:faults` has the same with processes.
engineContract([2], async ({ cwd, env, count }) => {
  const stop = new AbortController();
  const workers = Array.from({ length: count }, () =>
    runWorker({ cwd, env, concurrency: 2, command: [], stop: stop.signal }),
  );
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(workers);
    },
  };
});
