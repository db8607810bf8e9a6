import type { Work } from '../../queue/lease.ts';
import { budgetOfResume, type ResumeLimits } from './resume-budget.ts';
import { startResume } from './start-resume.ts';
import type { ViewedProject } from './viewed-project.ts';

export interface ResumeRequest {
  work: Work;
  /** Another value as soon as a process works on it. */
  revision: () => Promise<unknown>;
  askedUsd: number | undefined;
}

/**
 * Resumes work whose kind is the name of its command. Resolves as soon as a process of its own is at work, which goes on
 * when the viewer ends. Throws an error that says why nothing was done.
 */
export async function resumeWork(
  viewed: ViewedProject,
  { work, revision, askedUsd }: ResumeRequest,
  limits: ResumeLimits,
): Promise<void> {
  const budgetUsd = await budgetOfResume(viewed, askedUsd, limits);
  const budget = budgetUsd === undefined ? [] : ['--budget-usd', String(budgetUsd)];
  const args = [work.kind, '--resume', work.id, '--quiet', ...budget];
  await startResume({ ...viewed.program, work, revision, args });
}
