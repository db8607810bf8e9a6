import { beforeEach, expect, test } from 'vitest';
import { sampleRun, sampleSummary } from '../../../../../test/sample-run.ts';
import type { CaseSummary, ScenarioSummary } from '../../run/record/run-document.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { failedInLatestRun } from './failed-cases.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' });
});

const [scenario] = sampleRun().scenarios;

/** A finished run with a scenario for each of these summaries. */
async function addRun(summaries: Record<string, Partial<ScenarioSummary>>, file = 'scenarios/a.yaml') {
  if (!scenario) throw new Error('there is no scenario');
  const scenarios = Object.entries(summaries).map(([name, summary]) => {
    return { ...scenario, name, file, adapter: 'scripted', model: 'm', summary: sampleSummary({ ...summary, name }) };
  });
  await store.createRun(sampleRun({ run_id: 'latest-run', status: 'finished', verdict: 'FAIL', scenarios }));
}

function caseSummary(name: string, verdict: CaseSummary['verdict']): CaseSummary {
  return {
    ...{ case_index: 0, case: name, verdict, skipped: null, quarantine: null, reason: null, score_avg: 1 },
    ...{ trials_planned: 1, trials_total: 1, trials_scored: 1, trials_passed: 1, trials_unscored: 0 },
  };
}

test('what failed is every scenario that neither passed nor was left aside, with its adapter and model', async () => {
  await addRun({
    ...{ passes: { verdict: 'PASS' }, recorded: { verdict: 'RECORDED' }, aside: { verdict: 'QUARANTINED' } },
    ...{ fails: { verdict: 'FAIL' }, unscored: { verdict: 'UNSCORED' } },
  });
  const place = { file: 'scenarios/a.yaml', adapter: 'scripted', model: 'm', cases: null };
  expect(await failedInLatestRun(store)).toEqual([
    { ...place, name: 'fails' },
    { ...place, name: 'unscored' },
  ]);
});

test('of a scenario with data it is the cases that did not pass', async () => {
  const cases = [caseSummary('good', 'PASS'), caseSummary('bad', 'PARTIAL'), caseSummary('skipped', 'SKIPPED')];
  await addRun({ rows: { verdict: 'FAIL', cases } });
  expect(await failedInLatestRun(store)).toMatchObject([{ name: 'rows', cases: new Set(['bad']) }]);
});

test('without a run, without a failure, and for a run of a test there is nothing to run again', async () => {
  await expect(failedInLatestRun(null)).rejects.toMatchObject({ code: 'RUNS_MISSING' });
  await expect(failedInLatestRun(store)).rejects.toMatchObject({ code: 'RUNS_MISSING' });
  await addRun({ passes: { verdict: 'PASS' } });
  await expect(failedInLatestRun(store)).rejects.toMatchObject({ code: 'RUN_NOTHING_FAILED' });
  store = await openSqliteStore({ file: ':memory:' });
  await addRun({ fails: { verdict: 'FAIL' } }, 'tests/agent.test.ts');
  await expect(failedInLatestRun(store)).rejects.toMatchObject({ code: 'RUN_IS_TEST' });
});
