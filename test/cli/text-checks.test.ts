import { cp } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { startLoopback } from '../loopback/loopback-server.ts';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { salvo, salvoYaml, times, vote } from './judge-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

const EXAMPLE = new URL('../../examples/text-checks', import.meta.url);

async function example() {
  const project = await projectFixture({});
  await cp(EXAMPLE, project.root, { recursive: true, filter: (file) => !file.includes('.salvo') });
  return project;
}

describe('examples/text-checks', () => {
  test('passes, is judged again from its stored traces, and is refused with --no-code', async () => {
    await using project = await example();
    const run = await runCli(['run', '--json', '--quiet'], { cwd: project.root });
    const { verdict, scenarios } = documentOf(run);
    expect(verdict).toBe('PASS');
    const order = scenarios.find(({ name }) => name === 'order');
    const similar = order?.trials[0]?.eval_results.find(({ assertion_id }) => assertion_id === 'same-meaning');
    expect(similar).toMatchObject({ assertion_type: 'output_similar', metadata: { judge_model: 'letters' } });
    const again = await runCli(['reeval', 'latest', '--json'], { cwd: project.root });
    expect(JSON.parse(again.stdout).changed_trials ?? []).toEqual([]);
    expect(again.code).toBe(0);
    const refused = await runCli(['run', '--no-code'], { cwd: project.root });
    expect(refused.code).toBe(4);
    expect(refused.stderr).toMatch(/json\.yaml:9:11 error \[code-refused\] the JavaScript of an assertion is code/);
  });

  test('the threshold of output_similar is chosen from labels', async () => {
    await using project = await example();
    const chosen = ['--scenario', 'scenarios/order.yaml', '--assertion', 'same-meaning', '--threshold', '0.9'];
    const { stdout, code } = await runCli(['calibrate', 'labels.jsonl', ...chosen], { cwd: project.root });
    expect(stdout).toContain('A threshold of 0.7 would agree better than 0.9: kappa 1.00 instead of 0.70.');
    expect(stdout).toContain('Write the threshold into the scenario: min.');
    expect(code).toBe(3);
    const wrong = await runCli(['calibrate', 'labels.jsonl', ...chosen, '-k', '3'], { cwd: project.root });
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('asks no judge: leave out') });
  });
});

test('validate finds errors in code at their place, and says that there is code', async () => {
  await using project = await projectFixture({
    'salvo.yaml': 'default_adapter: scripted\n',
    'good.yaml': sampleScenario({ name: 'good', assertions: [{ type: 'javascript', code: 'output.length > 1' }] }),
    'bad.yaml':
      'prompt: Hi\nadapter: scripted\nscript: [{ content: Hi }]\nassertions:\n  - type: javascript\n    code: |\n      const a = 1;\n      return a b;\n',
  });
  const good = await runCli(['validate', 'good.yaml'], { cwd: project.root });
  expect(good.stdout).toContain('2 files are valid; 1 assertion with JavaScript, which a run executes');
  const json = await runCli(['validate', 'good.yaml', '--format', 'json'], { cwd: project.root });
  expect(JSON.parse(json.stdout)).toMatchObject({ code: 1, errors: 0 });
  const bad = await runCli(['validate', 'bad.yaml'], { cwd: project.root });
  expect(bad.code).toBe(4);
  expect(bad.stdout).toMatch(/bad\.yaml:8:16 error \[invalid-code\] not JavaScript: Unexpected identifier 'b'/);
});

test('a judge in one sentence is asked about it, and sees what transform makes of the answer', async () => {
  await using judge = await startLoopback(times(3, vote(0.9, 'The_answer_is_polite')));
  const assertions = [{ judge: 'The answer is polite.', transform: 'text', threshold: 0.8 }];
  await using project = await projectFixture({
    'salvo.yaml': salvoYaml,
    's.yaml': sampleScenario({ assertions, script: [{ content: '{"text": "Thank you!", "hidden": "x"}' }] }),
  });
  const { scenarios } = documentOf(await salvo(project, judge, ['run', 's.yaml', '-n', '1', '--json', '--quiet']));
  expect(scenarios[0]?.trials[0]?.eval_results).toMatchObject([
    { assertion_type: 'judge', assertion_id: 'judge:The answer is polite', passed: true },
  ]);
  const sent = JSON.stringify(judge.requests[0]?.body);
  expect(sent).toContain('The answer is polite.');
  expect(sent).toContain('Thank you!');
  expect(sent).not.toContain('hidden');
});
