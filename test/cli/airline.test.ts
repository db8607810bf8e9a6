import { cp, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
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
