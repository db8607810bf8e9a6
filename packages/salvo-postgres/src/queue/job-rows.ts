import { createHash } from 'node:crypto';
import type { JobInsert, JobWithMetadata } from 'pg-boss';
import { type Job, MOST_ATTEMPTS, type Work } from 'salvo/kit/queue';
import { z } from 'zod';
import { shortHash } from './order-table.ts';
import { readJob } from './work-documents.ts';

/** What pg-boss keeps of a job: the job as JSON text, because `jsonb` refuses characters that a name may have. */
type JobData = { job: string };

const dataSchema = z.object({ job: z.string() });

/** One attempt at a job: pg-boss refuses what is said about another one. */
export interface Attempt {
  id: string;
  retryCount: number;
}

export interface FetchedJob extends Attempt {
  job: Job;
  /** 1 for the first attempt. */
  attempt: number;
  /** Jobs with a smaller number are taken first. */
  number: number;
}

export function jobToInsert(
  work: Work,
  generation: number,
  job: Job,
  number: number,
): JobInsert<JobData> & { id: string } {
  return {
    id: jobId(work, generation, job.key),
    data: { job: JSON.stringify(job) },
    // Jobs that were inserted together would otherwise be taken in any order.
    priority: -number,
    // Any group makes the job part of pg-boss's index of active jobs.
    group: { id: groupId(job.group) },
  };
}

export function fetchedJob(row: JobWithMetadata<unknown>): FetchedJob {
  return {
    id: row.id,
    retryCount: row.retryCount,
    job: readJobData(row.data),
    attempt: attemptOf(row),
    number: -row.priority,
  };
}

export function readJobData(data: unknown): Job {
  return readJob(dataSchema.parse(data).job);
}

/** A job that is given back has one more retry, so that the attempt is not counted. */
export function attemptOf({ retryCount, retryLimit }: { retryCount: number; retryLimit: number }): number {
  return MOST_ATTEMPTS - (retryLimit - retryCount);
}

export function groupId(group: string): string {
  return shortHash(group);
}

/** The same for the same job, so that adding it again has no effect. */
function jobId({ kind, id }: Work, generation: number, key: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([kind, id, generation, key]))
    .digest('hex');
  // The digits of version and variant of a UUID that is made of a hash.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
