import { createHook } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';

const FEW = 20;
const MANY = 120;

test('a trial of two turns and a tool call makes few promises', async () => {
  await using project = await projectFixture({
    'salvo.yaml': 'default_adapter: scripted\n',
    'scenarios/s.yaml': sampleScenario({
      tools: [{ name: 'look', mock_response: { found: 'it' } }],
      script: [{ tool_calls: [{ name: 'look', arguments: {} }] }, done()],
    }),
  });
  const promisesOf = async (trials: number): Promise<number> => {
    let promises = 0;
    const hook = createHook({
      init(_id, type) {
        if (type === 'PROMISE') promises += 1;
      },
    });
    hook.enable();
    await using outcome = await runFiles({ cwd: project.root, env: {}, trials });
    hook.disable();
    expect(outcome.run.scenarios[0]?.summary?.trials_passed).toBe(trials);
    return promises;
  };
  // Loads what every run needs.
  await promisesOf(1);
  const few = await promisesOf(FEW);
  const aTrial = ((await promisesOf(MANY)) - few) / (MANY - FEW);
  // There were 114 once, and each is garbage soon after it was made.
  expect(aTrial).toBeGreaterThan(20);
  expect(aTrial).toBeLessThan(90);
});
