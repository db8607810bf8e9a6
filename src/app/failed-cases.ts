import type { RunRecord } from '../run/run-record.ts';
import { latestRun, nothingStored } from '../store/resolve-id.ts';
import type { Store } from '../store/store.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { FailedCases } from './select-scenarios.ts';
import { refuseRunOfTest } from './test-files.ts';

/** What did not pass in the latest run: scenarios and, where they have data, cases. */
export async function failedInLatestRun(store: Store | null): Promise<FailedCases> {
  const latest = store && (await latestRun(store));
  const run = latest && (await store.getRun(latest.run_id));
  if (!run) throw nothingStored();
  refuseRunOfTest(run, 'run from here');
  const failed = run.scenarios.flatMap(failedCases);
  if (failed.length > 0) return failed;
  throw new SalvoError(
    'NOTHING_FAILED',
    `Nothing failed in the latest run, ${run.run_id}: there is nothing to run again.`,
  );
}

function failedCases({ file, name, summary }: RunRecord['scenarios'][number]): FailedCases[number][] {
  if (summary && isGreen(summary.verdict)) return [];
  const cases = summary?.cases.filter(({ verdict }) => !isGreen(verdict)) ?? [];
  return [{ file, name, cases: cases.length === 0 ? null : new Set(cases.map((each) => each.case)) }];
}

function isGreen(verdict: string): boolean {
  return ['PASS', 'RECORDED', 'SKIPPED', 'QUARANTINED'].includes(verdict);
}
