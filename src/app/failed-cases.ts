import type { RunRecord } from '../run/run-record.ts';
import { latestRun, nothingStored } from '../store/resolve-id.ts';
import type { Store } from '../store/store.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { FailedCases } from './select-scenarios.ts';

/** A scenario that did not pass with one adapter and model. */
export interface FailedScenario {
  file: string;
  adapter: string;
  model: string;
  /** The names of the cases; null for the whole scenario. */
  cases: ReadonlySet<string> | null;
}

/** What did not pass in the latest run: scenarios and, where they have data, cases. */
export async function failedInLatestRun(store: Store | null): Promise<FailedScenario[]> {
  const latest = store && (await latestRun(store));
  const run = latest && (await store.getRun(latest.run_id));
  if (!run) throw nothingStored();
  const failed = run.scenarios.flatMap(failedScenario);
  if (failed.length > 0) return failed;
  throw new SalvoError(
    'NOTHING_FAILED',
    `Nothing failed in the latest run, ${run.run_id}: there is nothing to run again.`,
  );
}

/** What failed with any adapter and model, by file. */
export function failedByFile(failed: readonly FailedScenario[]): FailedCases {
  const byFile = new Map<string, Set<string> | null>();
  for (const { file, cases } of failed) {
    const before = byFile.get(file);
    byFile.set(file, cases === null || before === null ? null : new Set([...(before ?? []), ...cases]));
  }
  return byFile;
}

function failedScenario({ file, adapter, model, summary }: RunRecord['scenarios'][number]): FailedScenario[] {
  if (summary && isGreen(summary.verdict)) return [];
  const cases = summary?.cases.filter(({ verdict }) => !isGreen(verdict)) ?? [];
  return [{ file, adapter, model, cases: cases.length === 0 ? null : new Set(cases.map((each) => each.case)) }];
}

function isGreen(verdict: string): boolean {
  return verdict === 'PASS' || verdict === 'RECORDED' || verdict === 'SKIPPED';
}
