import { z } from 'zod';
import type { Job } from '../../queue/work-queue.ts';
import type { TrialJob } from '../../run/conduct/begin-trial.ts';

const trialJobSchema = z.object({
  scenario: z.int().nonnegative(),
  case: z.int().nonnegative(),
  trial: z.int().positive(),
  /** Nothing was stored of the trial when the job was added. */
  is_new: z.boolean(),
});

export type TrialJobData = z.infer<typeof trialJobSchema>;

/** A trial as a job for workers. Trials whose trace is recorded already are a group of their own: they need no agent. */
export function jobOfTrial(
  { scenario, caseIndex, trialNumber }: TrialJob,
  { isRecorded, isNew, labels }: { isRecorded: boolean; isNew: boolean; labels: readonly string[] },
): Job {
  const data: TrialJobData = { scenario, case: caseIndex, trial: trialNumber, is_new: isNew };
  return { key: `${scenario}/${caseIndex}/${trialNumber}`, group: groupOf(scenario, { isRecorded }), labels, data };
}

export function groupOf(scenario: number, { isRecorded }: { isRecorded: boolean }): string {
  return isRecorded ? `${scenario} recorded` : `${scenario}`;
}

export function readTrialJob({ data }: Pick<Job, 'data'>): TrialJobData {
  return trialJobSchema.parse(data);
}
