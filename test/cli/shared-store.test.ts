import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { sampleScenario, variedScript } from './sample-scenario.ts';

test('several runs of one project at the same time all succeed, and all are in its history', async () => {
  await using project = await projectFixture({
    's.yaml': sampleScenario({ min_pass_rate: 0.01, script: variedScript(2) }),
  });
  const args = ['run', 's.yaml', '-n', '60', '--concurrency', '8', '--json', '--quiet'];
  const runs = await Promise.all([1, 2, 3].map(() => runCli(args, { cwd: project.root })));
  const documents = runs.map(documentOf);
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
    [0, ''],
  ]);
  for (const { scenarios } of documents) expect(scenarios).toMatchObject([{ trials_total: 60, trials_unscored: 0 }]);
  const history = await runCli(['report', '--history', '--json'], { cwd: project.root });
  const listed: { run_id: string }[] = JSON.parse(history.stdout).runs;
  expect(listed.map(({ run_id }) => run_id).sort()).toEqual(documents.map(({ run_id }) => run_id).sort());
});
