import { expect, test } from 'vitest';
import type { RunDocument } from '../../packages/salvo/src/run/record/run-document.ts';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { sampleScenario, variedScript } from './sample-scenario.ts';

/** Without what is different in every run: ids and times. */
function repeatable({ run_id, created_at, ...document }: RunDocument) {
  return {
    ...document,
    scenarios: document.scenarios.map(({ latency_p50, latency_p95, ...scenario }) => ({
      ...scenario,
      trials: scenario.trials.map(({ latency_seconds, trace_id, ...trial }) => trial),
    })),
  };
}

test('the same seed gives the same document at any concurrency, another seed another one', async () => {
  await using project = await projectFixture({
    'a.yaml': sampleScenario({ name: 'a', model: 'gpt-4o', script: variedScript(3) }),
    'b.yaml': sampleScenario({ name: 'b', model: 'gpt-4o', script: variedScript(1) }),
  });
  const run = async (seed: string, concurrency: string) => {
    const args = ['run', '.', '--json', '-n', '30', '--seed', seed, '--concurrency', concurrency];
    return repeatable(documentOf(await runCli(args, { cwd: project.root })));
  };
  const one = await run('7', '1');
  expect(await run('7', '16')).toEqual(one);
  expect((await run('8', '16')).scenarios).not.toEqual(one.scenarios);
  const statuses = one.scenarios.map(({ trials }) => trials.map(({ status }) => status).join());
  expect(statuses[0]).toContain('failed');
  expect(statuses[0]).not.toBe(statuses[1]);
});
