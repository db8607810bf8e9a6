import {
  type FailedJob,
  failedJobSchema,
  type Job,
  jobSchema,
  type Notice,
  noticeSchema,
  type WorkerDescription,
  type WorkOrder,
  workerSchema,
  workOrderSchema,
} from 'salvo/kit/queue';
import { salvoVersion } from 'salvo/kit/text';
import { z } from 'zod';

const strings = z.array(z.string());

/**
 * What every version writes, and every later one has to: enough to say who should install what. The rest of an order or
 * a worker of another version is empty, because that version may write it in another form.
 */
const foreignOrderSchema = workOrderSchema
  .pick({ work: true, salvo_version: true })
  .refine(isForeign)
  .transform((known) => ({ ...known, bundle: '', code: [], settings: {} }));
const foreignWorkerSchema = workerSchema
  .pick({ worker_id: true, host: true, pid: true, salvo_version: true })
  .refine(isForeign)
  .transform((known) => ({ ...known, labels: [], concurrency: 0, allowed_code: [] }));

/** Null for what has not even that: then it is not for this process. */
export const readOrder = (text: unknown): WorkOrder | null =>
  readIfKnown(workOrderSchema, text) ?? readIfKnown(foreignOrderSchema, text);
export const readNotice = (text: unknown): Notice | null => readIfKnown(noticeSchema, text);
export const readWorker = (text: unknown): WorkerDescription | null =>
  readIfKnown(workerSchema, text) ?? readIfKnown(foreignWorkerSchema, text);

export const readJob = (text: unknown): Job => jobSchema.parse(parsed(text));
export const readFailure = (text: unknown): FailedJob => failedJobSchema.parse(parsed(text));
export const readLabelSets = (text: unknown): string[][] => z.array(strings).parse(parsed(text));
export const readGroups = (text: unknown): string[] => strings.parse(parsed(text));

function isForeign({ salvo_version }: { salvo_version: string }): boolean {
  return salvo_version !== salvoVersion();
}

function readIfKnown<T>(schema: z.ZodType<T>, text: unknown): T | null {
  try {
    return schema.parse(parsed(text));
  } catch {
    return null;
  }
}

function parsed(text: unknown): unknown {
  return JSON.parse(z.string().parse(text));
}
