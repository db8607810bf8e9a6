import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOf, runProgram } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';

const CASES = 1000;

test('the interval of the pass rate keeps narrowing with more than 200 cases', async () => {
  const data = Array.from({ length: CASES }, (_, index) => ({ name: `case ${index}` }));
  await using project = await projectFixture({ 's.yaml': sampleScenario({ data, prompt: '{{name}}' }) });
  const run = await runProgram(['run', 's.yaml', '-n', '1', '--json', '--quiet'], { cwd: project.root });
  const [scenario] = documentOf(run).scenarios;
  expect(scenario).toMatchObject({ trials_total: CASES, trials_passed: CASES });
  // 98.1% with 200 cases, and it was the same with 20,000.
  expect(scenario?.pass_rate_ci?.[0]).toBeGreaterThan(0.99);
});

test('what a program was granted is neither stored nor printed, whatever its variable is called', async () => {
  const env = { NEUTRAL: 'blue-whale-9', DO_TOKEN: `dop_v1_${'0f1e2d3c'.repeat(8)}` };
  const agent =
    "const { NEUTRAL, DO_TOKEN } = process.env; console.log(JSON.stringify({ content: ['I have', NEUTRAL, DO_TOKEN].join(' ') }))";
  await using project = await projectFixture({
    'salvo.yaml': JSON.stringify({
      adapters: { own: { type: 'exec', command: [process.execPath, 'agent.mjs'], env: Object.keys(env) } },
    }),
    'agent.mjs': agent,
    's.yaml': sampleScenario({ adapter: 'own', script: undefined }),
  });
  const options = { cwd: project.root, env };
  const run = await runProgram(['run', 's.yaml', '-n', '1', '--json', '--junit', 'junit.xml'], options);
  const replayed = await runProgram(['replay', '--full'], options);
  const files = [project.path('junit.xml')];
  for (const name of await readdir(project.path('.salvo'))) files.push(project.path(`.salvo/${name}`));
  const contents = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')));
  const everything = [run.stdout, run.stderr, replayed.stdout, ...contents].join('\n');
  expect(replayed.stdout).toContain('I have [REDACTED');
  for (const value of Object.values(env)) expect(everything).not.toContain(value);
});
