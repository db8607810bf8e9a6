import { expect, test } from 'vitest';
import { runScenario } from '../../src/app/runs/run-scenario.ts';
import { verdictReason } from '../../src/report/run/verdict.ts';

const scenario = { name: 'crashes', prompt: 'Hi', assertions: [{ type: 'output_contains' as const, value: 'x' }] };

test('an agent that crashes alike in its first three trials is not asked again, and has failed', async () => {
  let asked = 0;
  const agent = () => {
    asked += 1;
    throw new TypeError(`Cannot read properties of undefined (request ${asked})`);
  };
  const run = await runScenario({ scenario, agent, trials: 20, concurrency: 1 });
  expect(asked).toBe(3);
  expect(run).toMatchObject({ verdict: 'FAIL', exitCode: 1 });
  expect(run.summary).toMatchObject({
    ...{ stopped: 'equal_crashes', decided_by: 'equal_crashes' },
    ...{ trials_planned: 20, trials_total: 3, trials_crashed: 3 },
  });
  expect(verdictReason(run.summary)).toBe(
    'the first trials crashed alike, so 17 of 20 trials were not started; 0 of 3 trials passed (3 crashed)',
  );
});

test('an agent that crashes differently is asked in every trial', async () => {
  let asked = 0;
  const agent = () => {
    asked += 1;
    throw new TypeError(asked === 2 ? 'no network card' : 'x is undefined');
  };
  const run = await runScenario({ scenario, agent, trials: 6, concurrency: 1 });
  expect(asked).toBe(6);
  expect(run).toMatchObject({ verdict: 'FAIL', summary: { stopped: null, trials_crashed: 6 } });
});
