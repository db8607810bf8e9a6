import { expect, test } from 'vitest';
import { traceSchema } from '../../packages/salvo/src/trace/trace.ts';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';
import { done, sampleScenario } from './sample-scenario.ts';

test('the command that a run prints for a failure shows its conversation', async () => {
  await using project = await projectFixture({
    'a.yaml': sampleScenario({ name: 'passes' }),
    'b.yaml': sampleScenario({ name: 'does not', script: [done('No, thank you.')] }),
  });
  const cwd = project.root;
  const replay = (...args: string[]) => runCli(['replay', ...args], { cwd });
  const { stdout } = await runCli(['run', '.', '-n', '2', '--concurrency', '1'], { cwd });
  expect(stdout).toContain("salvo replay 'does not' 1");

  const second = await replay('does not', '2');
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.stdout).toContain('No, thank you.');
  expect(second.stdout).toMatch(/trial 2 of does not in run \w+: failed \(score 0\.00\)\n {2}✖ says-done\n/);
  for (const target of ['does not/2', 'latest/does not/2', 'b.yaml/2', 'does/2']) {
    expect([target, (await replay(target)).stdout]).toEqual([target, second.stdout]);
  }
  const json = await replay('does not', '2', '--json');
  expect(traceSchema.parse(JSON.parse(json.stdout)).final_content).toBe('No, thank you.');

  const number = await replay('2');
  expect(number.stdout).toBe(second.stdout);
  expect(number.stderr).toMatch(/^2 scenarios of run \w+ have a trial 2\. This is the one that failed\.\n$/);
  const passed = await replay('passes');
  expect(passed.stderr).toMatch(/^No trial of passes in run \w+ failed\. This is trial 1 of passes, which passed\.\n$/);
  expect(await replay('3')).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('numbers 1 to 2') });

  const judged = await runCli(['reeval', 'does not', '2', '--json', '--quiet'], { cwd });
  expect(judged).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(judged.stdout).scenarios).toMatchObject([{ name: 'does not', after: { trials_total: 1 } }]);
  const scenario = await runCli(['reeval', 'latest/does not', '--json', '--quiet'], { cwd });
  expect(JSON.parse(scenario.stdout).scenarios).toMatchObject([{ name: 'does not', after: { trials_total: 1 } }]);
});

test('an assertion of a case is shown with the value of its row', async () => {
  await using project = await projectFixture({
    'a.yaml': [
      ...['name: orders', 'adapter: scripted', 'prompt: "{{question}}"', 'trials: 1'],
      'data: [{ question: Where is it?, status: late }, { question: And this one?, status: shipped }]',
      'script: [{ content: It was shipped. }]',
      'assertions: [{ type: output_contains, value: "{{status}}" }]',
    ].join('\n'),
  });
  const cwd = project.root;
  const { stdout } = await runCli(['run', 'a.yaml', '--quiet'], { cwd });
  expect(stdout).toContain('1 "Where is it?"');
  const replayed = await runCli(['replay', 'orders/1'], { cwd });
  expect(replayed.stdout).toContain('✖ output_contains:"late"\n');
  expect(replayed.stdout).not.toContain('{{');
});
