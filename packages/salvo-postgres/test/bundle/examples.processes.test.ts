import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { otherMachine, packAll } from '../../../../test/carried-project.ts';
import { copyExample } from '../../../salvo/src/app/project/project-files.ts';
import { runFiles } from '../../../salvo/src/app/runs/run.ts';
import { chooseEntries } from '../../../salvo/src/app/selection/choose-entries.ts';
import { loadProject } from '../../../salvo/src/scenario/load-project.ts';

interface Copies extends AsyncDisposable {
  here: string;
  there: string;
}

/** An example, and what another machine has of it. */
async function copiesOf(example: string): Promise<Copies> {
  await using resources = new AsyncDisposableStack();
  const here = await mkdtemp(join(tmpdir(), 'salvo-example-'));
  resources.defer(() => rm(here, { recursive: true, force: true }));
  const machine = resources.use(await otherMachine());
  await copyExample(fileURLToPath(new URL(`../../../../examples/${example}`, import.meta.url)), here);
  const { root: there } = await machine.unpack(await packAll(here));
  const kept = resources.move();
  return { here, there, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function scenariosIn(cwd: string) {
  const { chosen } = await chooseEntries({ options: {}, project: await loadProject(cwd), cwd });
  return chosen.map(({ loaded }) => [loaded.relativeFile, loaded.scenario.name, loaded.hash]);
}

// Those that import `salvo`, and so need a process of their own, are in the tests of workers.
test.each(['airline', 'coding-agent', 'compare', 'rubric-judge', 'starter', 'support-agent', 'table'])(
  'the example %s has the same scenarios on another machine',
  async (example) => {
    await using copies = await copiesOf(example);
    expect(await scenariosIn(copies.there)).toEqual(await scenariosIn(copies.here));
  },
);

async function resultsIn(cwd: string) {
  const env = { PATH: process.env.PATH };
  await using run = await runFiles({ cwd, env, trials: 1, seed: 1 });
  const trials: unknown[] = [];
  for await (const { scenario_index, result } of run.store.trials(run.run.run_id)) {
    trials.push([scenario_index, result?.score, result?.status, result?.eval_results.map(({ score }) => score)]);
  }
  return { scenarios: run.run.scenarios.map(({ summary: _, ...scenario }) => scenario), trials };
}

test.each(['airline', 'judge-agent', 'own-agent', 'coding-agent'])(
  'the example %s has the same results on another machine',
  async (example) => {
    await using copies = await copiesOf(example);
    expect(await resultsIn(copies.there)).toEqual(await resultsIn(copies.here));
  },
);
