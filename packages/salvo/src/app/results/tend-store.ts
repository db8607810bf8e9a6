import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { openDoors } from '../../extension/load-extension.ts';
import type { QueueStatus } from '../../queue/work-queue.ts';
import { loadSettings } from '../../scenario/load-project.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { databaseUrl } from '../../store/database-url.ts';
import { migrateStore } from '../../store/open-store.ts';
import type { RunListing, Store, StoreDescription, UnreadableRun } from '../../store/store.ts';
import type { WorkModule } from '../../store/table-module.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { isUnreadable } from '../../text/errors/unreadable-error.ts';
import { baselinePath } from '../compare/run-source.ts';
import { openProject, openProjectStore, type Workplace } from '../project/open-project.ts';
import { projectEnv } from '../project/project-env.ts';
import { readTextFile } from '../project/read-text-file.ts';

/** Creates the tables of the project's store, or brings them to this version. Returns where they are. */
export async function migrateProjectStore({ cwd = process.cwd(), env = process.env }: Workplace = {}): Promise<string> {
  const project = await loadSettings(cwd);
  return await migrateStore(project, databaseUrl(project.config, projectEnv(project, env)));
}

export interface StoreStatus extends StoreDescription {
  /** Null if no workers are used. */
  work: QueueStatus | null;
}

/** What is stored, and what is going on. */
export async function storeStatus({ cwd = process.cwd(), env = process.env }: Workplace = {}): Promise<StoreStatus> {
  const project = await loadSettings(cwd);
  const store = await openProjectStore(project, { env, mustExist: true, readOnly: true, migrate: false });
  try {
    return { ...(await store.describe()), work: await queueStatus(store) };
  } finally {
    await store.close();
  }
}

/** Null as well if nobody has ever given work to workers: then there are no tables for it. */
async function queueStatus({ workerAccess }: Store): Promise<QueueStatus | null> {
  try {
    return (await workerAccess?.queue.status()) ?? null;
  } catch (error) {
    if (error instanceof SalvoError && error.code === 'DATABASE_TABLES_TOO_OLD') return null;
    throw error;
  }
}

export interface PruneOptions extends Workplace {
  /** What ended before this moment is removed. */
  before: Date | null;
  /** Only what can't be read, of any age if `before` is null. */
  unreadable?: boolean | undefined;
  /** Nothing is removed. */
  dryRun?: boolean | undefined;
}

interface Ended {
  status: string;
  finished_at: string | null;
  created_at: string;
}

/** Removes what ended before, with everything that only they refer to. */
export async function pruneStore(options: PruneOptions) {
  await using opened = await openProject(options);
  const { store, project } = opened;
  const before = options.before?.toISOString() ?? null;
  const isOld = ({ status, finished_at, created_at }: Ended) =>
    before === null ? options.unreadable : status !== 'running' && (finished_at ?? created_at) < before;
  const baseline = await baselineRun(project);
  const lostRuns: UnreadableRun[] = [];
  const readable = await store.listRuns({ onUnreadable: (run) => lostRuns.push(run) });
  const among = options.unreadable ? await withDamagedTrials(store, readable) : readable;
  const old = [...among, ...lostRuns].filter(isOld).map(({ run_id }) => run_id);
  const runs = old.filter((id) => id !== baseline);
  const prune = async (ids: string[], module?: WorkModule) => ({
    ids,
    /** How many were removed: 0 of a dry run, and fewer if somebody began to work on one. */
    removed: options.dryRun || ids.length === 0 ? 0 : await store.removeForGood(ids, module),
  });
  const work: Record<string, Awaited<ReturnType<typeof prune>>> = { run: await prune(runs) };
  for (const module of await openDoors('tables')) {
    const lost: string[] = [];
    const listed = await store.tables(module).listWork((id) => lost.push(id));
    // When it ended is in what can't be read, so nobody can tell how old it is.
    const ids = options.unreadable ? lost : listed.filter(isOld).map(({ id }) => id);
    work[module.work.kind] = await prune(ids, module);
  }
  if (!options.dryRun && options.before) await store.workerAccess?.queue.prune(options.before);
  // Kept: the run of the baseline, if it would have been removed otherwise.
  return { work, kept: runs.length < old.length ? baseline : null };
}

/** The runs of which a trial can't be read. */
async function withDamagedTrials(store: Store, runs: readonly RunListing[]): Promise<RunListing[]> {
  const damaged: RunListing[] = [];
  for (const run of runs) {
    try {
      for await (const _ of store.trials(run.run_id));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      damaged.push(run);
    }
  }
  return damaged;
}

const baselineRunSchema = z.object({ salvo_baseline: z.number(), run_id: z.string() });

/** The run that the project's baseline was made of; null if it has no baseline. */
async function baselineRun(project: Project): Promise<string | null> {
  const file = resolve(project.root, baselinePath(project));
  if (!existsSync(file)) return null;
  try {
    // Whichever version wrote the rest of it.
    return baselineRunSchema.parse(JSON.parse(await readTextFile(file, { cwd: project.root }))).run_id;
  } catch (cause) {
    throw new SalvoError(
      'BASELINE_UNREADABLE',
      `${file} is no baseline (${errorMessage(cause).split('\n')[0]}), so nothing was removed: its run must be kept. Set it again, or remove the file.`,
      { cause },
    );
  }
}
