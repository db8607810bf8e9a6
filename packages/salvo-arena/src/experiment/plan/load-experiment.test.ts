import { describe, expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { DiagnosticsError } from '../../../../salvo/src/scenario/diagnostics/diagnostics-error.ts';
import { allTasks } from '../../tasks/tasks.ts';
import { loadExperiment } from './load-experiment.ts';

async function load(yaml: string) {
  await using fixture = await projectFixture({ 'e.yaml': yaml });
  return loadExperiment({ file: fixture.path('e.yaml'), project: await fixture.project() });
}

async function problemsOf(yaml: string): Promise<string[]> {
  const error = await load(yaml).catch((cause: unknown) => cause);
  if (!(error instanceof DiagnosticsError)) throw new Error(`no diagnostics, but ${JSON.stringify(error)}`);
  return error.diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('an experiment file', () => {
  test('needs a name and tasks, and has a default for the rest', async () => {
    expect(await load('name: small\ntasks: [website-origin]\n')).toMatchObject({
      name: 'small',
      tasks: ['website-origin'],
      red: ['mutation'],
      blue: ['rules'],
      difficulty: ['medium'],
      repetitions: 1,
      seed: 0,
    });
  });

  test('names tasks by id, by domain and in words, each once', async () => {
    const { tasks } = await load('name: n\ntasks: [website-origin, "domain:storage", A bucket for invoices]\n');
    const storage = allTasks().filter(({ domain }) => domain === 'storage');
    expect(tasks).toHaveLength(storage.length + 1);
    expect(tasks[0]).toBe('website-origin');
    expect(tasks.at(-1)).toBe('A bucket for invoices');
  });

  test('takes every setting of a game: teams, gate and Judge', async () => {
    const settings = {
      adapter: 'openai',
      mode: 'hybrid',
      technique: 'targeted',
      blue_category: 'iam',
      checker: 'none',
      verify: 'debate',
      llm: ['gpt-4o', 'anthropic=claude-haiku-4-5'],
      judge: 'openai',
      votes: 5,
    };
    const plan = await load(JSON.stringify({ name: 'n', tasks: ['website-origin'], blue: ['llm:m'], ...settings }));
    expect(plan).toMatchObject(settings);
  });

  test('takes all tasks, or a sample that depends on its seed', async () => {
    expect((await load('name: n\ntasks: all')).tasks).toHaveLength(allTasks().length);
    const first = await load('name: n\ntasks: { sample: 5 }\nseed: 3');
    expect(first.tasks).toHaveLength(5);
    expect((await load('name: n\ntasks: { sample: 5 }\nseed: 3')).tasks).toEqual(first.tasks);
    expect((await load('name: n\ntasks: { sample: 5 }\nseed: 4')).tasks).not.toEqual(first.tasks);
  });
});

describe('a problem is reported with its place', () => {
  test.each([
    ['a slip in a key', 'name: n\ntasks: all\nrepetition: 2', '3:1 unknown key "repetition"'],
    ['a task that does not exist', 'name: n\ntasks: [website-orign]', '2:9 there is no task "website-orign"'],
    ['a domain that does not exist', 'name: n\ntasks: ["domain:gardens"]', '2:9 there is no domain "gardens"'],
    ['a Red that does not exist', 'name: n\ntasks: all\nred: [magic]', /^3:7 There is no Red Team "magic"/],
    [
      'a slip in a Red',
      'name: n\ntasks: all\nred: [mutaton]',
      /Did you mean "mutation"\? Known are mutation, llm:MODEL/,
    ],
    [
      'a Blue that does not exist',
      'name: n\ntasks: all\nblue: [rules, chekov]',
      /^3:15 There is no Blue Team "chekov"/,
    ],
    ['a Blue that plays twice', 'name: n\ntasks: all\nblue: [rules, rules]', '3:15 "rules" is listed twice'],
    ['a value of the wrong kind', 'name: n\ntasks: all\nrepetitions: often', /^3:14 .*should be a (?:whole )?number/],
    ['more tasks than there are', 'name: n\ntasks: { sample: 9999 }', /^2:18 "sample" is 9999/],
    ['a target that is missing', 'name: n\ntasks: all\nstrategy: [targeted]', /^3:12 the targeted strategy needs/],
    ['a target that does not exist', 'name: n\ntasks: all\ncategory: gardens', /^3:11 there is no category "gardens"/],
    [
      'a checker that is under test',
      'name: n\ntasks: all\nblue: [rules, trivy]\nchecker: trivy',
      /^4:10 trivy cannot check what Red claims/,
    ],
    [
      'a technique without what it needs',
      'name: n\ntasks: all\nblue: [llm:m]\ntechnique: targeted',
      /^4:12 the technique targeted needs a "blue_category"/,
    ],
    ['a matrix that is too large', 'name: n\ntasks: all\nrepetitions: 10000', /^2:8 the matrix has \d+ games/],
    ['nothing at all', '', /the file is empty/],
  ])('%s', async (_, yaml, expected) => {
    const problems = await problemsOf(yaml);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });

  test('all problems are reported at once', async () => {
    expect(await problemsOf('name: n\ntasks: [nothing]\nblue: [unknown]\nred: [unknown]')).toHaveLength(3);
  });
});
