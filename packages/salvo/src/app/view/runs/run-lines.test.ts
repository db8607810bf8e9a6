import { afterEach, beforeEach, expect, it } from 'vitest';
import { sampleRun, sampleStoredTrial, sampleSummary } from '../../../../../../test/sample-run.ts';
import { sampleTrial } from '../../../../../../test/sample-trial.ts';
import { openSqliteStore } from '../../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../../store/store.ts';
import { runLines } from './run-lines.ts';
import { runView } from './run-view.ts';

const QUERY = { offset: 0, limit: 10, filter: '', sort: 'created', descending: true } as const;

let store: Store;
/** The runs that were read, request by request. */
let read: (readonly string[])[];

beforeEach(async () => {
  const opened = await openSqliteStore({ file: ':memory:' });
  read = [];
  store = {
    ...opened,
    listRuns: () => Promise.reject(new Error('whole summaries are not read')),
    runFigures: (runIds) => {
      read.push(runIds);
      return opened.runFigures(runIds);
    },
  };
});
afterEach(() => store.close());

it('reads only runs that changed since the last time', async () => {
  for (const run_id of ['a', 'b']) await store.createRun(sampleRun({ run_id, status: 'finished' }));
  await runLines(store, QUERY);
  await runLines(store, QUERY);
  await store.updateRun('a', { verdict: 'PASS' });
  const { runs } = await runLines(store, QUERY);
  expect(read).toEqual([['b', 'a'], ['a']]);
  expect(runs.map(({ run_id, verdict }) => [run_id, verdict])).toEqual([
    ['b', null],
    ['a', 'PASS'],
  ]);
  await store.deleteRun('b');
  expect((await runLines(store, QUERY)).runs.map(({ run_id }) => run_id)).toEqual(['a']);
});

it('tells a run that is at work from one whose process is gone', async () => {
  for (const run_id of ['working', 'killed']) await store.createRun(sampleRun({ run_id, status: 'running' }));
  await using _lease = await store.claim({ kind: 'run', id: 'working' });
  const found = async (filter: string) => (await runLines(store, { ...QUERY, filter })).runs.map((run) => run.run_id);
  expect(await found('status = running')).toEqual(['working']);
  expect(await found('verdict = interrupted')).toEqual(['killed']);
});

it('has a pass rate of each model, and none of all together', async () => {
  const [entry] = sampleRun().scenarios;
  const models = [
    { model: 'small', pass_rate: 0.5 },
    { model: 'large', pass_rate: 1 },
  ];
  const scenarios = models.flatMap(({ model, pass_rate }) =>
    entry
      ? [{ ...entry, model, summary: sampleSummary({ name: entry.name, file: entry.file, model, pass_rate }) }]
      : [],
  );
  await store.createRun(sampleRun({ run_id: 'both', status: 'finished', scenarios }));
  const [line] = (await runLines(store, { ...QUERY, filter: 'pass_rate < 60%' })).runs;
  expect(line).toMatchObject({ pass_rate: null, score: null, trend: [] });
  expect(line?.models).toEqual([
    { label: 'small', pass_rate: 0.5 },
    { label: 'large', pass_rate: 1 },
  ]);
});

it('counts the trials of a run that did not end, and does not know what it cost', async () => {
  await store.createRun(sampleRun({ run_id: 'a', status: 'running' }));
  for (const [trial_number, status] of [
    [1, 'passed'],
    [2, 'failed'],
    [3, 'unscored'],
    [4, null],
  ] as const) {
    const result = status && sampleTrial({ trial_number, status });
    await store.saveTrial(sampleStoredTrial({ run_id: 'a', trial_number, result }));
  }
  const { runs } = await runLines(store, QUERY);
  expect(runs).toMatchObject([{ status: 'interrupted', verdict: null, trials: 3, pass_rate: 0.5, cost: null }]);
});

it('has the same cost as the page of the run, with the known part if a part of it is unknown', async () => {
  await store.createRun(sampleRun({ run_id: 'a', status: 'running' }));
  const cost_at_least = { usd: 2, calls_unknown: 3 };
  const second = sampleSummary({ name: 'second', cost_total_usd: null, cost_at_least });
  const summaries = [sampleSummary({ cost_total_usd: 1 }), second];
  await store.updateRun('a', { status: 'finished', summaries });
  const [line] = (await runLines(store, QUERY)).runs;
  const view = await runView(store, 'a');
  const cost = { usd: null, at_least: { usd: 3, calls_unknown: 3 } };
  expect([line?.cost, view.cost]).toEqual([cost, cost]);
  expect([line?.judge_cost, view.judge_cost]).toEqual([{ usd: 0 }, { usd: 0 }]);
});
