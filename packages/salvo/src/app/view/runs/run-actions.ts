import { findRun } from '../../project/open-project.ts';
import type { ResumeLimits } from '../resume-budget.ts';
import { resumeWork } from '../resume-work.ts';
import { storeOf, type ViewedProject } from '../viewed-project.ts';

/** Throws, as all of these do, an error that says why nothing was done. */
export async function deleteRun(viewed: ViewedProject, runId: string): Promise<void> {
  await (await storeOf(viewed)).deleteRun(runId);
}

export async function restoreRun(viewed: ViewedProject, runId: string): Promise<void> {
  await (await storeOf(viewed)).restoreRun(runId);
}

export async function resumeRun(
  viewed: ViewedProject,
  runId: string,
  { askedUsd, ...limits }: ResumeLimits & { askedUsd: number | undefined },
): Promise<void> {
  const store = await storeOf(viewed);
  const { run_id: id } = await findRun(store, runId);
  const revision = async () => (await store.runRevisions()).find(({ run_id }) => run_id === id)?.revision ?? null;
  await resumeWork(viewed, { work: { kind: 'run', id }, revision, askedUsd }, limits);
}
