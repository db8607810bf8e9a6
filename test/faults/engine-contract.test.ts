import { expect } from 'vitest';
import { engineContract } from '../../packages/salvo-postgres/test/work/engine-contract.ts';
import { startCli } from '../cli/cli-fixture.ts';

engineContract([1, 2, 4], async ({ count, ...place }) => {
  const workers = Array.from({ length: count }, () => startCli(['worker', '-c', '2'], place));
  await Promise.all(workers.map((worker) => worker.untilStderrHas('takes up to')));
  return {
    async [Symbol.asyncDispose]() {
      for (const { child } of workers) child.kill('SIGTERM');
      const left = await Promise.all(workers.map(({ result }) => result));
      expect(left.map(({ code }) => code)).toEqual(workers.map(() => 0));
    },
  };
});
