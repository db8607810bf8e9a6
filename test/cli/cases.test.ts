import { beforeAll, describe, expect, test } from 'vitest';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

const SCENARIO = `
data: rows.csv
prompt: "{{question}}"
adapter: scripted
script: [{ content: "{{said}}" }]
assertions: [{ type: output_contains, value: "{{wanted}}" }]
`;
const NAMES = Array.from({ length: 40 }, (_, index) => `case ${String(index + 1).padStart(2, '0')}`);
const FAILING = ['case 07', 'case 19', 'case 33'];
const ROWS = NAMES.map((name) => `${name},what is ${name}?,${FAILING.includes(name) ? 'no' : 'yes'},yes,`);
const CSV = `name,question,said,wanted,skip\n${ROWS.join('\n')}\nlast,why?,no,yes,not ready\n`;

let project: ProjectFixture;
const cli = (...args: string[]) => runCli(args, { cwd: project.root });
const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).stdout);

beforeAll(async () => {
  project = await projectFixture({
    'salvo.yaml': 'defaults: { trials: 2 }\n',
    'scenarios/table.yaml': SCENARIO,
    'scenarios/rows.csv': CSV,
    'scenarios/plain.yaml':
      'name: plain one\nprompt: hi\nadapter: scripted\ntrials: 1\nscript: [{ content: hi }]\nassertions: [{ type: output_contains, value: hi }]\n',
    'scenarios/broken.yaml': 'prompt: hi\nskip: the shop is closed\nadapter: openai\n',
  });
});

describe('a run of forty cases', () => {
  test('shows what failed, counts the rest, and skips what says so', async () => {
    const { code, stdout } = await cli('run', '--csv', 'out.csv', '--junit', 'out.xml');
    expect(code).toBe(1);
    expect(stdout).toContain('41 cases: 37 passed, 3 failed, 1 skipped');
    expect(stdout).toContain('skipped: last (not ready)');
    expect(stdout).toContain('the shop is closed');
    expect(stdout).toContain('✖  case 07');
    expect(stdout).toContain('and 2 more like it: case 19, case 33');
    expect(stdout).not.toContain('case 08');
    expect(stdout).toContain("salvo replay 'table/case 07'");
  });

  test('has its cases in every format', async () => {
    const document = await json('report');
    const table = document.scenarios.find(({ name }: { name: string }) => name === 'table');
    expect(table.cases).toHaveLength(41);
    expect(table.cases[6]).toMatchObject({
      case_index: 6,
      case: 'case 07',
      verdict: 'FAIL',
      trials_passed: 0,
      trials_total: 2,
    });
    expect(table.cases[40]).toMatchObject({ case: 'last', verdict: 'SKIPPED', skipped: 'not ready', trials_total: 0 });
    expect(table.trials.slice(12, 14)).toMatchObject([
      { case_index: 6, case: 'case 07', trial_number: 1, status: 'failed' },
      { case_index: 6, case: 'case 07', trial_number: 2, status: 'failed' },
    ]);
    expect(table.assertion_failures[0]).toMatchObject({ assertion_id: 'output_contains:"{{wanted}}"', fail_count: 6 });
    expect(table.assertion_failures[0].trial_cases.slice(0, 3)).toEqual(['case 07', 'case 07', 'case 19']);
    expect(document.scenarios.find(({ name }: { name: string }) => name === 'broken')).toMatchObject({
      verdict: 'SKIPPED',
    });
    const exported = (await cli('export')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(exported.find((line) => line.case === 'case 19')).toMatchObject({ case_index: 18, row: { said: 'no' } });
    const { readFile } = await import('node:fs/promises');
    expect(await readFile(project.path('out.csv'), 'utf8')).toContain(',6,case 07,1,failed,0,');
    const xml = await readFile(project.path('out.xml'), 'utf8');
    expect(xml).toContain('<testcase name="case 07, trial 2" classname="table"');
    expect(xml).toContain('<testcase name="last" classname="table"');
  });

  test('can be looked at, judged and run again case by case', async () => {
    expect((await cli('replay', 'table/case 19')).stdout).toContain('trial 1 of table/case 19');
    const failed = await json('run', '--failed');
    expect(failed.scenarios).toHaveLength(1);
    expect(failed.scenarios[0].cases.map((each: { case: string }) => each.case)).toEqual(FAILING);
    expect(failed.scenarios[0]).toMatchObject({ trials_planned: 6, trials_total: 6, verdict: 'FAIL' });
    expect((await json('reeval', 'latest')).scenarios).toHaveLength(1);
    const again = await json('reeval', 'table/case 19');
    expect(again.scenarios[0].after).toMatchObject({ trials_planned: 2, trials_total: 2, trials_passed: 0 });
  });

  test('is chosen by name, by --grep, the first by --cases, and with --trials for all', async () => {
    expect((await json('run', 'Plain One')).scenarios).toMatchObject([{ name: 'plain one', trials_planned: 1 }]);
    const some = await json('run', '--grep', 'case 1', '-n', '1');
    expect(some.scenarios[0].cases.map((each: { case: string }) => each.case)).toEqual(NAMES.slice(9, 19));
    expect((await cli('run', '--grep', 'nothing like it')).code).toBe(4);
    const first = await json('run', '--grep', 'case 1', '--cases', '2', '-n', '1');
    expect(first.scenarios[0].cases.map((each: { case: string }) => each.case)).toEqual(NAMES.slice(9, 11));
  });

  test('of nothing but skipped scenarios proves nothing: exit 3', async () => {
    const { code, stdout } = await cli('run', 'scenarios/broken.yaml');
    expect(code).toBe(3);
    expect(stdout).toContain('everything was skipped, so nothing was proven');
  });

  test('is resumed with the cases that it was begun with, and refused if the rows have changed', async () => {
    const before = await json('run', '--grep', 'case 0', '-n', '1');
    const resumed = await json('run', '--resume', before.run_id);
    expect(resumed.scenarios[0].cases).toEqual(before.scenarios[0].cases);
    await project.write('scenarios/rows.csv', CSV.replace('what is case 01', 'who is case 01'));
    const refused = await cli('run', '--resume', before.run_id);
    await project.write('scenarios/rows.csv', CSV);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('has changed since run') });
  });
});
