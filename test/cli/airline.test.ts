import { cp, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { reevaluateRun } from '../../packages/salvo/src/app/results/reevaluate.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import { projectFixture } from '../project-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/airline', import.meta.url));
const AGENTS = ['right', 'careless', 'dishonest'];

test('agents that are right, careless and dishonest come out as such, and again after a reeval', async () => {
  await using project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true });
  await using outcome = await runFiles({ cwd: project.root, env: {}, models: AGENTS });
  const passed = outcome.run.scenarios.map(({ model, summary }) => [model, summary?.trials_passed]);
  expect(passed).toEqual([
    ['right', 12],
    ['careless', 2],
    ['dishonest', 0],
  ]);
  const store = await openSqliteStore({ file: project.path('.salvo/salvo.db') });
  const seen = new Map(AGENTS.map((agent) => [agent, { changed: 0, saidOnly: 0 }]));
  for await (const { scenario_index, trace_id, result } of store.trials(outcome.run.run_id)) {
    const trace = await store.getTrace(trace_id ?? '');
    const counted = seen.get(AGENTS[scenario_index] ?? '');
    const [did, said] = result?.eval_results ?? [];
    if (!counted || !trace) continue;
    counted.changed += (trace.state?.changes.length ?? 0) > 0 ? 1 : 0;
    counted.saidOnly += said?.passed && !did?.passed ? 1 : 0;
  }
  await store.close();
  // Seven tasks ask for a change. The careless agent changes what it must not, the dishonest one only says so.
  expect(Object.fromEntries(seen)).toEqual({
    right: { changed: 7, saidOnly: 0 },
    careless: { changed: 9, saidOnly: 3 },
    dishonest: { changed: 0, saidOnly: 7 },
  });
  const again = await reevaluateRun({ cwd: project.root, env: {}, target: outcome.run.run_id });
  expect(
    again.scenarios.map(({ changed_trials, other_answers, after }) => [
      changed_trials,
      other_answers,
      after.trials_passed,
    ]),
  ).toEqual([
    [[], undefined, 12],
    [[], undefined, 2],
    [[], undefined, 0],
  ]);
});

test('with --user a model plays a customer by its goal and facts, in place of its script', async () => {
  await using project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true });
  const salvo = await readFile(project.path('salvo.yaml'), 'utf8');
  await project.write(
    'salvo.yaml',
    `${salvo}
adapters: { played: { type: scripted, script: !include customers.yaml } }
`,
  );
  const said = ['Hi, I cannot travel. Please cancel my trip.', 'R-01, and I am mia.', '###STOP###'];
  await project.write('customers.yaml', JSON.stringify({ models: { mia: said.map((content) => ({ content })) } }));
  const chosen = { models: ['right'], grep: 'cancel in time', user: 'played=mia' };
  await using outcome = await runFiles({ cwd: project.root, env: {}, ...chosen });
  expect(outcome.run.scenarios[0]?.summary?.trials_passed).toBe(1);
  const [trial] = await Array.fromAsync(outcome.store.trials(outcome.run.run_id));
  const trace = await outcome.store.getTrace(trial?.trace_id ?? '');
  expect(trace?.messages.flatMap(({ role, content }) => (role === 'user' ? content : []))).toEqual(said.slice(0, 2));
  expect(trace?.conversation_end?.by).toBe('user');
});

/** What the model that plays the customer of a task says last, or instead of everything, and how that breaks its role. */
const BREAKS = new Map<string, { kind: string; said: (script: string[]) => string[] }>([
  ['cancel too late', { kind: 'unknown_fact', said: () => ['Cancel R-99, please. I am tom.'] }],
  [
    'add a bag',
    { kind: 'agent_role', said: (script) => [...script, 'Your bag has been added. How can I help you further?'] },
  ],
  ['a later flight', { kind: 'ended_early', said: () => ['###STOP###'] }],
  ['a delay of a gold member', { kind: 'never_ended', said: (script) => [...script, ...Array(4).fill('And then?')] }],
]);

const taskSchema = z.looseObject({
  name: z.string(),
  user: z.array(z.union([z.string(), z.object({ text: z.string() })])),
  script: z.looseObject({ models: z.looseObject({ right: z.array(z.unknown()) }) }),
});

test('of the same tasks with customers that a model plays, those that break their role are not scored, and no other', async () => {
  await using project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true });
  const tasks = z.array(taskSchema).parse(parse(await readFile(project.path('tasks.yaml'), 'utf8')));
  // The desk goes on answering somebody who never ends.
  for (const { script } of tasks) script.models.right.push(...Array(4).fill({ content: 'Anything else?' }));
  await project.write('tasks.yaml', JSON.stringify(tasks));
  const models = tasks.map(({ name, user }) => {
    const script = user.map((entry) => (typeof entry === 'string' ? entry : entry.text));
    const said = BREAKS.get(name)?.said(script) ?? script;
    return [name, [...said, '###STOP###'].slice(0, 4).map((content) => ({ content }))];
  });
  await project.write('customers.yaml', JSON.stringify({ models: Object.fromEntries(models) }));
  const salvo = await readFile(project.path('salvo.yaml'), 'utf8');
  const adapters = 'adapters: { played: { type: scripted, script: !include customers.yaml } }';
  await project.write('salvo.yaml', `${salvo}\n${adapters}\n`);
  const desk = await readFile(project.path('scenarios/desk.yaml'), 'utf8');
  const played = 'user: { goal: "{{goal}}", facts: "{{facts}}", adapter: played, model: "{{name}}", max_messages: 4 }';
  await project.write('scenarios/desk.yaml', desk.replace(/^user: .*$/m, played));

  await using outcome = await runFiles({ cwd: project.root, env: {}, models: ['right'] });
  const found: [string | null, string | undefined, string | null | undefined][] = [];
  for await (const { case: name, result } of outcome.store.trials(outcome.run.run_id)) {
    found.push([name, result?.status, result?.simulated_user?.broke_role]);
  }
  const expected = tasks.map(({ name }) => {
    const broken = BREAKS.get(name)?.kind;
    return broken ? [name, 'unscored', broken] : [name, 'passed', null];
  });
  expect(found).toEqual(expected);
  expect(outcome.run.scenarios[0]?.summary?.simulated_users).toMatchObject({ trials: 12, broke_role: BREAKS.size });
});
