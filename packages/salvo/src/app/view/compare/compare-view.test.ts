import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sampleScenario } from '../../../../../../test/cli/sample-scenario.ts';
import { projectFixture } from '../../../../../../test/project-fixture.ts';
import type { Store } from '../../../store/store.ts';
import { runFiles } from '../../runs/run.ts';
import { storeOf, viewProject } from '../viewed-project.ts';
import { compareView } from './compare-view.ts';

async function twoRuns(trials: number) {
  const project = await projectFixture({ 'salvo.yaml': '', 's.yaml': sampleScenario() });
  const ids: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    await using finished = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'], trials });
    ids.push(finished.run.run_id);
  }
  const viewed = await viewProject({ cwd: project.root, env: {} });
  const opened = await storeOf(viewed);
  const read: string[] = [];
  const store: Store = {
    ...opened,
    trials: (runId, options) => {
      read.push(runId);
      return opened.trials(runId, options);
    },
  };
  return {
    ...{ store, ids, read },
    [Symbol.asyncDispose]: async () => {
      await viewed[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

it('computes a comparison once, for all who ask, until one of its runs changes', async () => {
  await using fixture = await twoRuns(2);
  const { store, ids, read } = fixture;
  const [first, second] = await Promise.all([compareView(store, ids), compareView(store, ids)]);
  expect(await compareView(store, ['previous', 'latest'])).toBe(first);
  expect(second).toBe(first);
  expect(read).toEqual(ids);
  await store.updateRun(ids[1] ?? '', { verdict: 'FAIL' });
  expect(await compareView(store, ids)).toEqual(first);
  expect(read).toEqual([...ids, ...ids]);
});

it('lets other requests be answered while it reads the trials', async () => {
  await using fixture = await twoRuns(250);
  let [turns, isDone] = [0, false];
  const others = async () => {
    for (; !isDone; turns += 1) await setImmediate();
  };
  const waiting = others();
  await compareView(fixture.store, fixture.ids);
  isDone = true;
  await waiting;
  expect(turns).toBeGreaterThanOrEqual(4);
});
