import type { RunRecord, RunScenario } from '../../run/record/run-record.ts';
import { latestRunId, nothingStored } from '../../store/resolve-id.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { FailedCases } from './select-scenarios.ts';
import { refuseRunOfTest } from './test-files.ts';

/** A scenario that did not pass with one adapter and model. */
export type FailedScenario = FailedCases[number] & Pick<RunScenario, 'adapter' | 'model'>;

/** What did not pass in the latest run: scenarios and, where they have data, cases. */
export async function failedInLatestRun(store: Store | null): Promise<FailedScenario[]> {
  const latest = store && (await latestRunId(store));
  const run = latest && (await store.getRun(latest));
  if (!run) throw nothingStored();
  refuseRunOfTest(run, 'run from here');
  const failed = run.scenarios.flatMap(failedScenario);
  if (failed.length > 0) return failed;
  throw new SalvoError(
    'RUN_NOTHING_FAILED',
    `Nothing failed in the latest run, ${run.run_id}: there is nothing to run again.`,
  );
}

function failedScenario({ file, name, adapter, model, summary }: RunRecord['scenarios'][number]): FailedScenario[] {
  if (summary && isGreen(summary.verdict)) return [];
  const cases = summary?.cases.filter(({ verdict }) => !isGreen(verdict)) ?? [];
  return [{ file, name, adapter, model, cases: cases.length === 0 ? null : new Set(cases.map((each) => each.case)) }];
}

function isGreen(verdict: string): boolean {
  return ['PASS', 'RECORDED', 'SKIPPED', 'QUARANTINED'].includes(verdict);
}
