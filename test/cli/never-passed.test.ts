import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { done, sampleScenario } from './sample-scenario.ts';

const contains = (value: string) => ({ type: 'output_contains', value });
const leak = { type: 'output_not_contains', id: 'no password', value: 'password' };
const five = { script: [done('a b c d password')], assertions: [...['a', 'b', 'c', 'd'].map(contains), leak] };

async function run(scenario: Record<string, unknown>) {
  await using project = await projectFixture({ 's.yaml': sampleScenario(scenario) });
  const args = ['run', 's.yaml', '-n', '3', '--junit', 'j.xml', '--markdown', 'm.md'];
  const { code, stdout, stderr } = await runCli(args, { cwd: project.root, env: { GITHUB_ACTIONS: 'true' } });
  const { stdout: json } = await runCli(['report', '--json'], { cwd: project.root });
  return {
    code,
    stdout,
    stderr,
    scenario: documentOf({ stdout: json }).scenarios[0],
    junit: await readFile(project.path('j.xml'), 'utf8'),
    markdown: await readFile(project.path('m.md'), 'utf8'),
  };
}

test('one assertion of five that never passes fails the scenario', async () => {
  const { code, scenario, junit } = await run(five);
  expect(code).toBe(1);
  expect(scenario).toMatchObject({ verdict: 'FAIL', threshold: null, trials_passed: 0, score_avg: 0.8 });
  expect(scenario?.never_passed).toEqual([
    { assertion_type: 'output_not_contains', assertion_id: 'no password', trials: 3, counts: true },
  ]);
  expect(junit).toContain('<failure type="min_pass_rate"');
});

test('with a written threshold it gives partial credit, and every report names it beside the verdict', async () => {
  const { code, stdout, stderr, scenario, junit, markdown } = await run({ ...five, threshold: '80%' });
  expect(code).toBe(0);
  expect(scenario).toMatchObject({ verdict: 'PASS', threshold: 0.8, never_passed: [{ assertion_id: 'no password' }] });
  const line = 'never passed: no password (0 of 3)';
  expect(stdout).toContain(line);
  expect(stdout).toContain('100% must pass (min_pass_rate); 1 assertion never passed');
  expect(stderr).toMatch(
    /^::warning file=s\.yaml,line=1,title=sample%3A PASS::.*%0Anever passed: no password \(0 of 3\)/m,
  );
  expect(markdown).toContain(line);
  expect(junit).toContain(line);
  expect(junit).toContain('<property name="never_passed" value="no password"/>');
  expect(junit).toMatch(/<testsuites [^>]*failures="0" errors="0"/);
});
