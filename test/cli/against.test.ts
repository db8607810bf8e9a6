import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

const says = (...answers: string[]) => ({ variants: answers.map((content) => ({ turns: [{ content }] })) });
/** Two models: one is right, in several words, and one is wrong. */
const MODELS = { models: { good: says('Done.', 'All done: Done!'), bad: says('No.', 'Never.') } };
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `r${index}`, ask: `q${index}` }));
const scenario = (change: Record<string, unknown> = {}) => sampleScenario({ script: MODELS, ...change });

function commandsOf(project: ProjectFixture) {
  const cli = (...args: string[]) => runCli(args, { cwd: project.root });
  return {
    cli,
    run: (model: string, ...args: string[]) => cli('run', '.', '--model', model, ...args),
    against: (model: string, ...args: string[]) =>
      cli('run', '.', '--model', model, '--against', 'salvo-baseline.json', ...args),
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('salvo run --against', () => {
  test('cases that fail are failed in every format, and --failed runs only these', async () => {
    await using project = await projectFixture({ 's.yaml': scenario({ prompt: '{{ask}}', data: rows(20) }) });
    const { run, cli, against } = commandsOf(project);
    await run('good', '-n', '2');
    expect((await cli('baseline', 'set')).code).toBe(0);
    const { code, stdout } = await against('bad', '-n', '2', '--markdown', 'out.md', '--json');
    expect(code).toBe(1);
    const [found] = JSON.parse(stdout).scenarios;
    expect(found).toMatchObject({ verdict: 'FAIL', decided_by: 'baseline', trials_passed: 0 });
    expect(new Set(found.cases.map(({ verdict }: { verdict: string }) => verdict))).toEqual(new Set(['FAIL']));
    expect(await readFile(project.path('out.md'), 'utf8')).not.toContain('20 passed');
    expect(oneLine((await cli('report')).stdout)).toContain('20 cases: 20 failed');
    const again = await cli('run', '.', '--model', 'good', '--failed', '-n', '1', '--json');
    expect(JSON.parse(again.stdout).scenarios[0].cases).toHaveLength(20);
  });

  test('rows that are new or were edited must pass by their own rule', async () => {
    const script = [{ content: '{{answer}}' }];
    const answered = (count: number, answer: string, prefix: string) =>
      Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, answer: `${answer} ${index}` }));
    const table = (data: object[]) => sampleScenario({ script, data });
    await using project = await projectFixture({ 's.yaml': table(answered(12, 'Done.', 'old')) });
    const { cli } = commandsOf(project);
    const against = () => cli('run', '.', '-n', '2', '--against', 'salvo-baseline.json');
    await cli('run', '.', '-n', '2');
    await cli('baseline', 'set');
    await project.write('s.yaml', table([...answered(12, 'Done.', 'old'), ...answered(18, 'No.', 'new')]));
    const added = await against();
    expect(added.code).toBe(1);
    expect(oneLine(added.stdout)).toContain(
      '24 of 60 trials passed; 18 of 18 cases that the baseline does not have failed: every trial of them must pass',
    );
    await project.write('s.yaml', table([...answered(6, 'No.', 'old'), ...answered(12, 'Done.', 'old').slice(6)]));
    expect((await against()).code).toBe(1);
    await project.write('s.yaml', table([...answered(12, 'Done.', 'old'), ...answered(18, 'Done.', 'new')]));
    const green = await against();
    expect(green.code).toBe(0);
    expect(green.stdout).toContain('Cases that the baseline does not have, so judged by their own rule: sample/new0');
  });

  test('a pull request that changes an assertion, or adds a scenario, is judged by its results', async () => {
    await using project = await projectFixture({
      'a.yaml': scenario({ name: 'a' }),
      'b.yaml': scenario({ name: 'b' }),
    });
    const { run, cli, against } = commandsOf(project);
    await run('good', '-n', '3');
    await cli('baseline', 'set');
    const changed = [{ type: 'output_contains', id: 'says-done', value: 'one' }];
    await project.write('b.yaml', scenario({ name: 'b', assertions: changed }));
    await project.write('c.yaml', scenario({ name: 'c' }));
    const { code, stdout } = await against('good', '-n', '3');
    expect(code).toBe(0);
    expect(stdout).toContain('exit code 0: same as before: 3 of 3; 2 scenarios judged by their own rule');
    expect(stdout).toContain('Not in the baseline, so judged by its own rule: c');
    expect(oneLine(stdout)).toContain('judged by its own rule: b (the assertion says-done changed)');
    const broken = await against('bad', '-n', '3', '--json');
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.stdout).scenarios.map((each: { decided_by: string }) => each.decided_by)).toEqual([
      'baseline_observed',
      'min_pass_rate',
      'min_pass_rate',
    ]);
  });

  test('a baseline with none of the scenarios judges nothing, and says so', async () => {
    await using project = await projectFixture({ 'a.yaml': scenario({ name: 'a' }) });
    const { run, cli, against } = commandsOf(project);
    await run('good', '-n', '3');
    await cli('baseline', 'set');
    await project.write('a.yaml', scenario({ name: 'other' }));
    const { code, stdout } = await against('good', '-n', '3');
    expect(code).toBe(0);
    expect(oneLine(stdout)).toContain(
      'nothing can be compared with salvo-baseline.json; every scenario passed by its own rule',
    );
    expect((await against('bad', '-n', '3')).code).toBe(1);
  });

  test('5 of 5 before and a few now is red by what was observed, with how often this is luck', async () => {
    const half = { models: { good: says('Done.', 'Done!'), half: says('Done.', 'Done!', 'No.', 'Never.') } };
    await using project = await projectFixture({ 's.yaml': sampleScenario({ script: half }) });
    const { run, cli, against } = commandsOf(project);
    await run('good', '-n', '5');
    await cli('baseline', 'set');
    const { code, stdout } = await against('half', '-n', '5', '--seed', '2', '--junit', 'out.xml');
    expect(code).toBe(1);
    expect(oneLine(stdout)).toMatch(
      /An unchanged agent would be red like this in \d+% of such runs; -n \d+ brings this to 5%/,
    );
    expect(stdout).not.toContain('not worse');
    expect(await readFile(project.path('out.xml'), 'utf8')).toMatch(
      /<failure type="baseline" message="Undecided: .*By what was observed/,
    );
    const strict = await against('good', '-n', '5', '--undecided', 'fail');
    expect(strict.code).toBe(3);
    expect(oneLine(strict.stdout)).toContain('undecided whether it is worse');
    expect((await cli('run', '.', '--undecided', 'fail')).stderr).toContain('--undecided needs a baseline');
  });

  test('names what differs about the agent, and a changed parameter of a tool is another yardstick', async () => {
    const tool = (type: string, description: string) => ({
      tools: [{ name: 'find', description, parameters: { type: 'object', properties: { id: { type } } } }],
    });
    await using project = await projectFixture({ 's.yaml': scenario({ temperature: 0, ...tool('string', 'Finds.') }) });
    const { run, cli, against } = commandsOf(project);
    await run('good', '-n', '3');
    await cli('baseline', 'set');
    await project.write('s.yaml', scenario({ temperature: 0.7, max_turns: 5, ...tool('string', 'Looks up.') }));
    expect(oneLine((await against('good', '-n', '3')).stdout)).toContain(
      'Differs from the baseline: temperature was 0, and is 0.7, max_turns was 10, and is 5, the descriptions of tools differ',
    );
    await project.write('s.yaml', scenario({ temperature: 0, ...tool('number', 'Finds.') }));
    expect(oneLine((await against('good', '-n', '3')).stdout)).toContain(
      'sample (the parameters of the tool find differ)',
    );
  });
});

describe('salvo baseline set', () => {
  test('prints the rates that it writes', async () => {
    await using project = await projectFixture({ 's.yaml': scenario({ prompt: '{{ask}}', data: rows(4) }) });
    const { run, cli } = commandsOf(project);
    await run('good', '-n', '2');
    const { code, stdout } = await cli('baseline', 'set');
    expect(code).toBe(0);
    expect(stdout).toContain('  sample (good): 100%, 8 of 8 trials of 4 cases passed\n');
  });

  test.each([
    ['nothing passed', {}, 'bad', 'no trial passed'],
    [
      'a minimum is missed',
      { min_pass_rate: 0.9, assertions: [{ type: 'output_contains', value: 'All' }] },
      'good',
      'a minimum or limit that was set is missed: sample',
    ],
    [
      'a required assertion failed',
      { assertions: [{ type: 'output_contains', value: 'Done', required: true }] },
      'bad',
      'a required assertion failed: sample',
    ],
    [
      'trials were not scored',
      {
        script: {
          models: {
            down: {
              variants: [{ turns: [{ content: 'Done.' }] }, { turns: [{ error: { status: 503, message: 'down' } }] }],
            },
          },
        },
        retries: 0,
      },
      'down',
      'not all trials were scored',
    ],
  ])('refuses a run in which %s, unless it is forced', async (_, change, model, reason) => {
    await using project = await projectFixture({ 's.yaml': scenario(change) });
    const { run, cli } = commandsOf(project);
    await run(model, '-n', '6', '--seed', '1');
    const refused = await cli('baseline', 'set');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain(reason);
    await expect(readFile(project.path('salvo-baseline.json'), 'utf8')).rejects.toThrow();
  });

  test('refuses a run that lacks scenarios of the file, unless it is forced; not every trial has to pass', async () => {
    await using project = await projectFixture({
      'a.yaml': scenario({ name: 'a' }),
      'b.yaml': sampleScenario({ name: 'b', script: { models: { good: says('Done.', 'No.') } } }),
    });
    const { run, cli } = commandsOf(project);
    expect((await run('good', '-n', '6', '--seed', '1')).code).toBe(1);
    expect((await cli('baseline', 'set')).code).toBe(0);
    await cli('run', 'a.yaml', '--model', 'good', '-n', '3');
    const refused = await cli('baseline', 'set');
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.stderr).toContain('it lacks scenarios that the file has now: b');
    expect(await readFile(project.path('salvo-baseline.json'), 'utf8')).toContain('"b"');
    expect((await cli('baseline', 'set', '--force')).code).toBe(0);
  });
});
