import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { documentOf } from '../../cli/cli-fixture.ts';
import { sampleScenario } from '../../cli/sample-scenario.ts';
import { expectNothingLeft, startMachines } from './machines.ts';

const POISON = 3;
const CASES = 6;

/** An agent that kills the worker, whose child its process is, when it is asked for one of the numbers. */
const files = {
  'agent.mjs': `
import { setTimeout } from 'node:timers/promises';
export default async function agent({ messages }) {
  if (JSON.stringify(messages).includes('Number ${POISON}')) process.kill(process.ppid, 'SIGKILL');
  await setTimeout(1000);
  return 'Done.';
}
`,
  's.yaml': sampleScenario({
    adapter: './agent.mjs',
    script: undefined,
    prompt: 'Number {{n}}',
    data: Array.from({ length: CASES }, (_, index) => ({ n: index + 1, name: `${index + 1}` })),
  }),
};

function expectOnlyPoisonUnscored(result: { stdout: string; code: number | null }): void {
  const [scenario] = documentOf(result).scenarios;
  const statuses = scenario?.trials.map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: CASES }, (_, index) => (index + 1 === POISON ? 'unscored' : 'passed')));
  const reason = JSON.stringify(scenario?.trials[POISON - 1]);
  expect(reason).toContain('given up after 3 attempts: the worker on ');
  expect(result.code).toBe(3);
}

test.concurrent('an agent that kills its worker: unscored after three attempts, and no other trial with it', async () => {
  await using machines = await startMachines({ files });
  const client = machines.client(['run', 's.yaml', '-n', '1', '--json']);
  await machines.worker(['-c', '4', '--allow-code']);
  expectOnlyPoisonUnscored(await client.result);
  await expectNothingLeft(machines);
});

test.concurrent('the same with workers that the client has started', async () => {
  await using machines = await startMachines({ files });
  const client = machines.client(['run', 's.yaml', '-n', '1', '-c', '4', '--local-workers', '1', '--json']);
  expectOnlyPoisonUnscored(await client.result);
  await expectNothingLeft(machines);
});

test.concurrent('a scenario that no worker may execute: nothing is taken, and both sides say why, once', async () => {
  await using machines = await startMachines({ files });
  const client = machines.client(['run', 's.yaml', '-n', '1']);
  const worker = await machines.worker();
  await client.untilStderrHas('--allow-code');
  await worker.untilStderrHas('nothing of it is taken here');
  // Longer than it takes to look for orders and workers several times.
  await sleep(5000);
  worker.child.kill('SIGTERM');
  const { code, stderr } = await worker.result;
  expect([code, stderr.split('nothing of it is taken here').length - 1]).toEqual([0, 1]);
  client.child.kill('SIGINT');
  const ended = await client.result;
  expect(ended.code).toBe(3);
  expect(await machines.results()).toBe(0);
});
