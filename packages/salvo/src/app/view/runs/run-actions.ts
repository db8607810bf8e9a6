import { findRun } from '../../project/open-project.ts';
import { startResume } from '../start-resume.ts';
import { storeOf, type ViewedProject } from '../viewed-project.ts';
import { budgetOfResume, type ResumeLimits } from './resume-budget.ts';

/** Throws, as all of these do, an error that says why nothing was done. */
export async function deleteRun(viewed: ViewedProject, runId: string): Promise<void> {
  await (await storeOf(viewed)).deleteRun(runId);
}

export async function restoreRun(viewed: ViewedProject, runId: string): Promise<void> {
  await (await storeOf(viewed)).restoreRun(runId);
}

/** Resolves as soon as a process of its own is at work. It goes on when the viewer ends. */
export async function resumeRun(
  viewed: ViewedProject,
  runId: string,
  { askedUsd, ...limits }: ResumeLimits & { askedUsd: number | undefined },
): Promise<void> {
  const store = await storeOf(viewed);
  const { run_id } = await findRun(store, runId);
  const budgetUsd = await budgetOfResume(viewed, askedUsd, limits);
  const budget = budgetUsd === undefined ? [] : ['--budget-usd', String(budgetUsd)];
  await startResume({
    ...viewed.program,
    store,
    runId: run_id,
    args: ['run', '--resume', run_id, '--quiet', ...budget],
  });
}
