import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

const says = (...answers: string[]) => ({ variants: answers.map((content) => ({ turns: [{ content }] })) });
const MODELS = { models: { good: says('Done.', 'All done: Done!'), bad: says('No.', 'Never.') } };
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `r${index}`, ask: `q${index}` }));
const oneLine = (text: string) => text.replace(/\s+/g, ' ');

function commandsOf(project: ProjectFixture) {
  const cli = (...args: string[]) => runCli(args, { cwd: project.root });
  const until = (model: string, ...args: string[]) =>
    cli('run', '.', '--model', model, '--against', 'salvo-baseline.json', '--until', 'decided', ...args);
  return { cli, until };
}

async function projectWithBaseline(data: object[], trials = '3') {
  const project = await projectFixture({
    's.yaml': sampleScenario({ script: MODELS, prompt: '{{ask}}', data }),
  });
  const { cli } = commandsOf(project);
  await cli('run', '.', '--model', 'good', '-n', trials);
  await cli('baseline', 'set');
  return project;
}

describe('salvo run --until decided', () => {
  test('stops when it is decided, and every format has how', async () => {
    await using project = await projectWithBaseline(rows(40), '2');
    const { cli, until } = commandsOf(project);
    const worse = await until('bad', '--max-trials', '160', '--json', '--junit', 'out.xml', '-c', '1');
    expect(worse.code).toBe(1);
    const again = await until('bad', '--max-trials', '160');
    expect(oneLine(again.stderr)).toContain('have decided it after 10 trials: worse. No more trials are needed.');
    const third = await until('bad', '--max-trials', '160');
    expect(oneLine(third.stderr)).toContain('have decided it after 10 trials: worse.');
    const document = JSON.parse(worse.stdout);
    expect(document.against.until).toMatchObject({ decided: 'worse', trials: 10, earlier_trials: 0, agents: 1 });
    expect(document.scenarios[0]).toMatchObject({ stopped: 'decided', decided_by: 'baseline', trials_total: 10 });
    expect(await readFile(project.path('out.xml'), 'utf8')).toContain('until decided');
    const question = ['--max-trials', '160', '--max-drop', '20%'];
    const asked = ['--against', 'salvo-baseline.json', '--until', 'decided', ...question];
    const planned = JSON.parse((await cli('plan', '.', '--model', 'good', ...asked, '--json')).stdout).until;
    expect(planned).toMatchObject({
      most_trials: 160,
      decided: null,
      typical: [{ drop: 0 }, { drop: 0.2 }, { drop: 0.4 }],
    });
    expect(planned.typical[2].worse).toBeGreaterThan(0.9);
    const same = await until('good', ...question);
    expect(same.stderr).toContain(planned.notes[0]);
    expect(same.code).toBe(0);
    expect(oneLine(same.stdout)).toMatch(/Decided after \d+ trials \(\d looks?\): not worse by more than 20 points\./);
    expect(oneLine(same.stdout)).toContain('2 comparisons of this kind were made with this baseline');
  });

  test('continues what an earlier run of the same agent has shown, from the store or a file', async () => {
    await using project = await projectWithBaseline(rows(12));
    const { until } = commandsOf(project);
    const shown = async (...args: string[]) => {
      const { stdout } = await until('good', '--max-trials', '12', '--max-drop', '1%', '--json', ...args);
      return JSON.parse(stdout).against.until;
    };
    expect(await shown()).toMatchObject({ decided: null, trials: 12, earlier_trials: 0 });
    expect(await shown()).toMatchObject({ trials: 24, earlier_trials: 12, agents: 1 });
    expect(await shown('--evidence', 'e/e.json')).toMatchObject({ trials: 12, earlier_trials: 0 });
    expect(await shown('--evidence', 'e/e.json')).toMatchObject({ trials: 24, earlier_trials: 12 });
    await project.write('e/e.json', '{"salvo_evidence": 1');
    const broken = await until('good', '--evidence', 'e/e.json');
    expect(broken).toMatchObject({ code: 4, stdout: '' });
    expect(broken.stderr).toContain('e/e.json:1:21 is not valid JSON');
    expect(await readFile(project.path('e/e.json'), 'utf8')).toBe('{"salvo_evidence": 1');
  });

  test('says before the first trial that a baseline cannot decide', async () => {
    await using project = await projectWithBaseline(rows(2), '1');
    const { until, cli } = commandsOf(project);
    const refused = await until('good', '--max-trials', '4');
    expect(refused.code).toBe(4);
    expect(oneLine(refused.stderr)).toContain('salvo-baseline.json cannot decide: with 4 trials');
    expect((await until('good', '--max-trials', '1')).stderr).toContain('less than one trial of each of 2 cases');
    expect((await until('good', '-n', '3')).code).toBe(4);
    expect((await cli('run', '.', '--until', 'decided')).stderr).toContain('--until needs a baseline');
    expect((await cli('run', '.', '--against', 'salvo-baseline.json', '--evidence', 'x')).code).toBe(4);
  });
});

test('rows that are held out run only with --holdout, and a baseline says which they are', async () => {
  const data = rows(30).map((row, index) => ({ ...row, hard: index % 3 === 0 }));
  const scenario = (holdout: string) => sampleScenario({ script: MODELS, prompt: '{{ask}}', data, holdout });
  await using project = await projectFixture({ 's.yaml': scenario('hard') });
  const { cli } = commandsOf(project);
  const run = async (...args: string[]) =>
    JSON.parse((await cli('run', '.', '--model', 'good', '-n', '1', '--json', ...args)).stdout);
  const without = await run();
  expect(without.scenarios[0].cases).toHaveLength(20);
  expect(without.notes).toContain('sample: 10 rows of 30 held out. --holdout runs them, too.');
  const whole = await run('--holdout');
  expect(whole.scenarios[0].holdout).toMatchObject({
    held_out: { cases: 10 },
    others: { cases: 20 },
    difference: { value: 0 },
  });
  await cli('baseline', 'set');
  expect((await readFile(project.path('salvo-baseline.json'), 'utf8')).match(/"held_out":true/g)).toHaveLength(10);
  await project.write('s.yaml', scenario('nothing'));
  expect((await cli('validate', '.')).stdout).toContain('no row has the column "nothing"');
});
