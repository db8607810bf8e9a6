import { beforeEach, expect, test } from 'vitest';
import { sampleRun, sampleSummary } from '../../../../../test/sample-run.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { findRunToResume } from './resume-run.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' });
});

async function addRun(run_id: string, summary: Partial<ScenarioSummary>, reeval_of: string | null = null) {
  const [scenario, ...others] = sampleRun().scenarios.map((each) => ({ ...each, summary: sampleSummary() }));
  if (!scenario) throw new Error('there is no scenario');
  const scenarios = [{ ...scenario, summary: sampleSummary(summary) }, ...others];
  await store.createRun(sampleRun({ run_id, status: 'finished', verdict: 'PASS', reeval_of, scenarios }));
}
const latest = async () => (await findRunToResume(store, 'latest')).run_id;
const error = (code: string) => ({ message: 'x', code, count: 1, trial_numbers: [1] });

test('the latest run to resume is the newest that lacks something', async () => {
  await addRun('whole', {});
  expect(await latest()).toBe('whole');
  await addRun('outage', { trials_unscored: 1, errors: [error('PROVIDER_DOWN')] });
  await addRun('early', { trials_total: 3, stopped: 'early_stop' });
  await addRun('nothing-checked', { trials_unscored: 20, errors: [error('NO_ASSERTIONS')] });
  await addRun('again', { trials_total: 3, stopped: 'interrupted' }, 'whole');
  expect(await latest()).toBe('outage');
  await addRun('budget', { trials_total: 3, stopped: 'budget' });
  expect(await latest()).toBe('budget');
  await store.createRun(sampleRun({ run_id: 'killed', created_at: '2000-01-01T00:00:00.000Z' }));
  await addRun('whole-2', {});
  expect(await latest()).toBe('killed');
});

test('a reevaluation is not resumed: it is repeated', async () => {
  await addRun('again', {}, 'whole');
  await expect(findRunToResume(store, 'again')).rejects.toMatchObject({
    code: 'RUN_IS_REEVAL',
    message: expect.stringContaining('salvo reeval whole'),
  });
});
