import { resolve } from 'node:path';
import { openDoors } from '../../extension/load-extension.ts';
import { loadSettings } from '../../scenario/load-project.ts';
import { type ComparisonTables, comparisonsOf } from '../../store/comparison-tables.ts';
import { databaseUrl } from '../../store/database-url.ts';
import { type JudgeTables, judgesOf, type UnreadableCalibration } from '../../store/judge-tables.ts';
import { openStoreFile } from '../../store/open-store.ts';
import type { ImportCount, ImportedStore, Store, StoreImports } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isUnreadable } from '../../text/errors/unreadable-error.ts';
import { openResources } from '../../text/open-resources.ts';
import { openProjectStore, type Workplace } from '../project/open-project.ts';
import { projectEnv } from '../project/project-env.ts';

export interface ImportStoreOptions extends Workplace {
  /** A store in a file, such as .salvo/salvo.db. */
  file: string;
  /** Aborted: nothing further is begun. */
  stop?: AbortSignal | undefined;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

interface ImportProgress {
  /** `run`, or a kind that a package brings. */
  kind: string;
  id: string;
  /** Begins at 1. */
  index: number;
  count: number;
}

/** Copies everything of a store in a file to the project's database, in the order of its creation. */
export async function importStore(options: ImportStoreOptions): Promise<ImportedStore> {
  const { cwd = process.cwd(), env = process.env } = options;
  const project = await loadSettings(cwd);
  if (databaseUrl(project.config, projectEnv(project, env)) === null) throw noDatabase();
  await using resources = openResources();
  const source = resources.adopt(await openStoreFile(resolve(cwd, options.file)), (store) => store.close());
  const target = resources.adopt(await openProjectStore(project, { env }), (store) => store.close());
  if (target.imports === null) throw noDatabase();
  return await copyStore(source, target, target.imports, options);
}

async function copyStore(
  source: Store,
  target: Store,
  imports: StoreImports,
  { stop, onProgress }: ImportStoreOptions,
): Promise<ImportedStore> {
  async function copyAll(
    kind: string,
    { ids, unreadable }: { ids: readonly string[]; unreadable: readonly string[] },
    copy: (id: string) => Promise<boolean>,
  ): Promise<ImportCount> {
    const count: ImportCount = { imported: 0, present: 0, underWay: 0, unreadable: [...unreadable] };
    for (const [at, id] of ids.entries()) {
      if (stop?.aborted) break;
      onProgress?.({ kind, id, index: at + 1, count: ids.length });
      try {
        if (await source.holderOf({ kind, id })) count.underWay += 1;
        else if (await copy(id)) count.imported += 1;
        else count.present += 1;
      } catch (error) {
        // A part of it: it was copied as a whole or not at all.
        if (!isUnreadable(error)) throw error;
        count.unreadable.push(id);
      }
    }
    return count;
  }

  const lost: string[] = [];
  const listed = await source.listRuns({ onUnreadable: ({ run_id }) => lost.push(run_id) });
  const runIds = listed.map(({ run_id }) => run_id).reverse();
  const run = await copyAll('run', { ids: runIds, unreadable: lost }, async (id) => {
    const stored = await source.getRun(id);
    return stored !== null && (await imports.importRun(stored, () => trialsWithTraces(source, id)));
  });
  const work: ImportedStore['work'] = { run };
  for (const module of await openDoors('tables')) {
    const { kind } = module.work;
    const unreadable: string[] = [];
    const ids = (await source.tables(module).listWork((id) => unreadable.push(id))).map(({ id }) => id).reverse();
    work[kind] = await copyAll(kind, { ids, unreadable }, (id) => target.tables(module).importWork(source, id));
  }
  const unreadable: string[] = [];
  const labels = stop?.aborted ? 0 : await copyLabels(judgesOf(source), judgesOf(target), unreadable);
  const calibrations = stop?.aborted ? 0 : await copyCalibrations(judgesOf(source), judgesOf(target), unreadable);
  const comparisons = stop?.aborted
    ? 0
    : await copyComparisons(comparisonsOf(source), comparisonsOf(target), unreadable);
  const { place } = await target.describe();
  return { work, labels, calibrations, comparisons, unreadable, place, isInterrupted: stop?.aborted ?? false };
}

async function* trialsWithTraces(source: Store, runId: string) {
  for await (const trial of source.trials(runId)) {
    yield { trial, trace: trial.trace_id === null ? null : await source.getTrace(trial.trace_id) };
  }
}

/** A label or calibration that is there is newer: people go on with the database. */
async function copyLabels(source: JudgeTables, target: JudgeTables, unreadable: string[]): Promise<number> {
  const there = new Set((await target.listLabels()).map(({ label_id }) => label_id));
  const all = await source.listLabels({ onUnreadable: ({ label_id }) => unreadable.push(label_id) });
  const missing = all.filter(({ label_id }) => !there.has(label_id));
  for (const label of missing) await target.saveLabel(label);
  return missing.length;
}

async function copyCalibrations(source: JudgeTables, target: JudgeTables, unreadable: string[]): Promise<number> {
  let copied = 0;
  const onUnreadable = ({ judge_hash }: UnreadableCalibration) => unreadable.push(judge_hash);
  for (const record of await source.listCalibrations({ onUnreadable })) {
    if (await target.getCalibration(record.judge_hash)) continue;
    await target.saveCalibration(record);
    copied += 1;
  }
  return copied;
}

async function copyComparisons(
  source: ComparisonTables,
  target: ComparisonTables,
  unreadable: string[],
): Promise<number> {
  const there = new Set((await target.listComparisons()).map(({ comparison_id }) => comparison_id));
  const all = await source.listComparisons({ onUnreadable: ({ comparison_id }) => unreadable.push(comparison_id) });
  const missing = all.filter(({ comparison_id }) => !there.has(comparison_id));
  for (const comparison of missing) await target.saveComparison(comparison);
  return missing.length;
}

function noDatabase(): SalvoError {
  return new SalvoError(
    'DATABASE_MISSING',
    'There is no database to import to. Set SALVO_DATABASE_URL, or database_url in salvo.yaml, to postgres://USER@HOST/DATABASE.',
  );
}
