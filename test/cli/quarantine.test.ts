import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { done, sampleScenario } from './sample-scenario.ts';

const DATA = [
  'name,answer,quarantine',
  'good,Done,',
  'bad,No,2999-12-31 waits for issue 7',
  'cured,Done,"2999-12-31: was flaky"',
  'late,Done,2020-01-31 forgotten',
].join('\n');

test('cases in quarantine run and are shown, but are no part of the verdict until their day is over', async () => {
  await using project = await projectFixture({
    's.yaml': sampleScenario({ data: 'rows.csv', script: [done('{{answer}}')] }),
    'rows.csv': DATA,
  });
  const cwd = project.root;
  const { stdout, code } = await runCli(['run', 's.yaml', '-n', '2', '--junit', 'j.xml', '--csv', 'c.csv'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('in quarantine until 2999-12-31: bad (waits for issue 7), 0 of 2 trials passed');
  expect(stdout).toContain('ready to leave quarantine: cured, all 2 trials passed');
  expect(stdout).not.toContain('ready to leave quarantine: bad');
  expect(stdout).toContain('the quarantine of late ended on 2020-01-31: it counts again');
  expect(stdout).toContain('4/4 passed · 4 in quarantine');

  const [scenario] = documentOf(await runCli(['report', '--json'], { cwd })).scenarios;
  expect(scenario).toMatchObject({
    verdict: 'PASS',
    pass_rate: 1,
    trials_total: 4,
    trials_quarantined: 4,
    assertion_failures: [],
    quarantine: null,
  });
  expect(scenario?.cases.map((each) => [each.verdict, each.trials_passed, each.quarantine?.active])).toEqual([
    ['PASS', 2, undefined],
    ['QUARANTINED', 0, true],
    ['QUARANTINED', 2, true],
    ['PASS', 2, false],
  ]);
  expect(await readFile(project.path('j.xml'), 'utf8')).toMatch(
    /tests="9" failures="0" errors="0" skipped="2"[\s\S]*message="failed, tolerated by the quarantine: /,
  );
  const csv = (await readFile(project.path('c.csv'), 'utf8')).trim().split('\r\n');
  expect(csv.map((row) => row.split(',').at(-1))).toEqual([
    'quarantined',
    'false',
    'false',
    'true',
    'true',
    'true',
    'true',
    'false',
    'false',
  ]);
  expect(await runCli(['run', 's.yaml', '--failed'], { cwd })).toMatchObject({ code: 4 });
});

test('a run with nothing but quarantine proves nothing, and reeval after the quarantine was lifted counts again', async () => {
  const failing = { script: [done('No.')] };
  const quarantine = { until: '2999-12-31', reason: 'known' };
  await using project = await projectFixture({ 's.yaml': sampleScenario({ ...failing, quarantine }) });
  const cwd = project.root;
  const run = await runCli(['run', 's.yaml', '-n', '3', '--early-stop'], { cwd });
  expect(run).toMatchObject({ code: 3 });
  expect(run.stdout).toContain('everything is in quarantine or was skipped, so nothing was proven');
  expect(run.stdout).toContain(
    'in quarantine until 2999-12-31 (known), so no part of the verdict; 0 of 3 trials passed',
  );
  await project.write('s.yaml', sampleScenario(failing));
  const { stdout, code } = await runCli(['reeval', '--json'], { cwd });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).scenarios).toMatchObject([
    { before: { verdict: 'QUARANTINED' }, after: { verdict: 'FAIL' } },
  ]);
});

test('what is in quarantine is not compared with the baseline, and named', async () => {
  await using project = await projectFixture({
    'a.yaml': sampleScenario({ name: 'a' }),
    'b.yaml': sampleScenario({ name: 'b' }),
  });
  const cwd = project.root;
  const run = (...args: string[]) => runCli(['run', 'a.yaml', 'b.yaml', '-n', '2', ...args], { cwd });
  expect(await run()).toMatchObject({ code: 0 });
  expect(await runCli(['baseline', 'set'], { cwd })).toMatchObject({ code: 0 });
  const quarantine = { until: '2999-12-31', reason: 'known' };
  await project.write('b.yaml', sampleScenario({ name: 'b', script: [done('No.')], quarantine }));
  const { code, stdout } = await run('--against', 'salvo-baseline.json');
  expect(code).toBe(0);
  expect(stdout).toContain('PASS   exit code 0: same as before: 2 of 2');
  expect(stdout).toContain('In the baseline, but not run or in quarantine: b');
});
