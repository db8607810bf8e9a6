import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli, storedBytes } from './cli-fixture.ts';
import { done, sampleScenario } from './sample-scenario.ts';

test('a project that records no texts keeps the verdicts, and can neither show nor judge conversations again', async () => {
  await using project = await projectFixture({
    'salvo.yaml': 'recording: { mode: metadata_only }',
    's.yaml': sampleScenario({ prompt: 'Where is my parcel?', script: [done('Done: it is in Bonn.')] }),
  });
  const { cwd } = { cwd: project.root };
  const run = await runCli(['run', 's.yaml', '--json'], { cwd });
  expect(documentOf(run)).toMatchObject({ verdict: 'PASS', scenarios: [{ trials_passed: 3 }] });
  expect(await storedBytes(project)).not.toMatch(/parcel|Bonn/);

  for (const command of ['replay', 'reeval']) {
    const { code, stderr } = await runCli([command], { cwd });
    expect([command, code]).toEqual([command, 4]);
    expect(stderr).toContain('metadata_only');
  }
  const figures = await runCli(['replay', '--json'], { cwd });
  expect(JSON.parse(figures.stdout)).toMatchObject({ turn_count: 1, input_tokens: 100 });

  const history = await runCli(['report', '--history', '--json'], { cwd });
  expect(JSON.parse(history.stdout).runs).toHaveLength(1);
});

test('no report shows what a broken agent printed; all show the code of the error', async () => {
  await using project = await projectFixture({
    'salvo.yaml': 'recording: { mode: metadata_only }',
    'agent.mjs': 'console.log("the parcel of Mrs. Bonn is"); process.stderr.write("in Bonn")',
    's.yaml': sampleScenario({ adapter: 'exec:node agent.mjs', script: undefined }),
  });
  const { cwd } = { cwd: project.root };
  const run = await runCli(['run', 's.yaml', '--json', '-n', '1'], { cwd });
  const hidden = expect.stringMatching(/^ADAPTER_BAD_RESPONSE \[not recorded: \d+ characters\]$/);
  expect(documentOf(run).scenarios[0]).toMatchObject({
    verdict: 'UNSCORED',
    errors: [{ message: hidden, code: 'ADAPTER_BAD_RESPONSE', count: 1 }],
    trials: [{ error_message: hidden, error_code: 'ADAPTER_BAD_RESPONSE' }],
  });
  expect(await storedBytes(project)).not.toMatch(/parcel|Bonn/);
});
