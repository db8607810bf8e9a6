import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleRun } from '../../../../../../test/sample-run.ts';
import { type RunView, runView } from '../../../../src/app/view/runs/run-view.ts';
import type { TrialOutcome } from '../../../../src/run/record/run-record.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { placeAfter } from './grid-moves.ts';
import { type GridQuery, gridRows } from './grid-rows.ts';

const ALL: GridQuery = { order: 'file', statuses: new Set() };

let store: Store;
/** Two scenarios with three trials each; the first one has three cases. */
let view: RunView;

beforeAll(async () => {
  store = await openSqliteStore({ file: ':memory:' });
  await store.createRun(sampleRun());
  view = await runView(store, 'run-1');
  const [first, ...others] = view.scenarios;
  if (first === undefined) throw new Error('The run has no scenario.');
  const cases = ['a', 'b', 'c'].map((name, case_index) => ({
    ...{ case_index, name, trials: 3, skip: null, quarantine: null },
  }));
  view = {
    ...view,
    scenarios: [{ ...first, key: 'first', cases }, ...others.map((each) => ({ ...each, key: 'second' }))],
  };
});
afterAll(() => store.close());

function outcome(case_index: number, trial_number: number, change: Partial<TrialOutcome> = {}): TrialOutcome {
  return {
    ...{ scenario_index: 0, case_index, case: null, trial_number, trace_id: null, status: 'passed', score: 1 },
    ...{ latency_seconds: null, retries: 0, assertions: [], cost_usd: null, judge_cost_usd: null },
    ...change,
  };
}

const failed = { status: 'failed', score: 0 } as const;
const keys = (outcomes: TrialOutcome[], query: GridQuery = ALL) =>
  gridRows(view, outcomes, query).map(({ kind, key }) => `${kind} ${key}`);

describe('the rows of the grid', () => {
  test('are each scenario, with its cases below it, whether they have run or not', () => {
    const rows = ['scenario 0', 'case 0/0', 'case 0/1', 'case 0/2', 'scenario 1', 'case 1/0'];
    expect(keys([])).toEqual(rows);
    const [, row] = gridRows(view, [outcome(0, 2)], ALL);
    expect(row?.kind === 'case' && row.trials.map((trial) => trial.outcome?.status ?? null)).toEqual([
      ...[null, 'passed', null],
    ]);
  });

  test('are only the cases with a trial of a chosen status, and only scenarios that have one', () => {
    const outcomes = [outcome(0, 1), outcome(1, 1, failed)];
    expect(keys(outcomes, { order: 'file', statuses: new Set(['failed']) })).toEqual(['scenario 0', 'case 0/1']);
  });

  test('have the worst cases first if asked, and those without a scored trial last', () => {
    const outcomes = [outcome(1, 1), outcome(2, 1, failed)];
    expect(keys(outcomes, { order: 'worst', statuses: new Set() }).slice(1, 4)).toEqual([
      ...['case 0/2', 'case 0/1', 'case 0/0'],
    ]);
  });

  test('are several for a case of many trials', () => {
    const [first, ...others] = view.scenarios;
    const many = { ...view, scenarios: [...(first ? [{ ...first, cases: [], trials_planned: 250 }] : []), ...others] };
    const rows = gridRows(many, [], ALL).slice(1, 4);
    expect(rows.map((row) => row.kind === 'case' && [row.key, row.trials.length])).toEqual([
      ['0/0+0', 100],
      ['0/0+1', 100],
      ['0/0+2', 50],
    ]);
  });
});

test('keys lead along a row, to the next one, and past trials that have not run', () => {
  const rows = gridRows(view, [outcome(0, 1), outcome(0, 3), outcome(2, 2), outcome(2, 3)], ALL);
  const from = (row: string, number: number, key: string) => {
    const place = placeAfter(rows, { row, number }, key);
    return place && `${place.row} ${place.number}`;
  };
  expect(from('0/0', 1, 'ArrowRight')).toBe('0/0 3');
  expect(from('0/0', 3, 'ArrowRight')).toBe('0/2 2');
  expect(from('0/2', 2, 'ArrowLeft')).toBe('0/0 3');
  expect(from('0/0', 3, 'ArrowDown')).toBe('0/2 3');
  expect(from('0/2', 2, 'ArrowUp')).toBe('0/0 1');
  expect(from('0/2', 3, 'Home')).toBe('0/2 2');
  expect(from('0/2', 3, 'ArrowRight')).toBeNull();
  expect(from('0/2', 3, 'x')).toBeNull();
});
