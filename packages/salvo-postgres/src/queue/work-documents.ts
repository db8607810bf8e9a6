import type { Job, Notice, WorkerDescription, WorkOrder } from 'salvo/kit/queue';
import { salvoVersion } from 'salvo/kit/text';
import { z } from 'zod';

const strings = z.array(z.string());
const values = z.record(z.string(), z.unknown());

const workSchema = z.object({ kind: z.string(), id: z.string() });

const orderSchema: z.ZodType<WorkOrder> = z.object({
  work: workSchema,
  salvo_version: z.string(),
  bundle: z.string(),
  code: strings,
  settings: values,
});

const jobSchema: z.ZodType<Job> = z.object({ key: z.string(), group: z.string(), labels: strings, data: values });

const message = z.string();
const worker = z.string();

/** One schema for each type: a coordinator does not hear of notices of a type that is missing here. */
const noticeSchemas: { [Type in Notice['type']]: z.ZodType<Extract<Notice, { type: Type }>> } = {
  joined: z.object({ type: z.literal('joined'), worker, tears_down: z.boolean(), message }),
  left: z.object({ type: z.literal('left'), worker, message }),
  outage: z.object({
    ...{ type: z.literal('outage'), worker, message },
    ...{ adapter: z.string(), model: z.string(), code: z.string() },
  }),
  budget: z.object({ type: z.literal('budget'), message }),
  repeated: z.object({ type: z.literal('repeated'), message }),
  refusal: z.object({ type: z.literal('refusal'), worker, message }),
  warning: z.object({ type: z.literal('warning'), message }),
};

const noticeSchema: z.ZodType<Notice> = z.union(Object.values(noticeSchemas));

const workerSchema: z.ZodType<WorkerDescription> = z.object({
  worker_id: z.string(),
  host: z.string(),
  pid: z.number(),
  salvo_version: z.string(),
  labels: strings,
  concurrency: z.number(),
  allowed_code: z.union([z.literal('all'), strings]),
});

const failureSchema = z.object({ job: jobSchema, attempts: z.number(), reason: z.string() });

/**
 * What every version writes, and every later one has to: enough to say who should install what. The rest of an order or
 * a worker of another version is empty, because that version may write it in another form.
 */
const foreignOrderSchema = z
  .object({ work: workSchema, salvo_version: otherVersion() })
  .transform((known) => ({ ...known, bundle: '', code: [], settings: {} }));
const foreignWorkerSchema = z
  .object({ worker_id: z.string(), host: z.string(), pid: z.number(), salvo_version: otherVersion() })
  .transform((known) => ({ ...known, labels: [], concurrency: 0, allowed_code: [] }));

/** Null for what has not even that: then it is not for this process. */
export const readOrder = (text: unknown): WorkOrder | null =>
  readIfKnown(orderSchema, text) ?? readIfKnown(foreignOrderSchema, text);
export const readNotice = (text: unknown): Notice | null => readIfKnown(noticeSchema, text);
export const readWorker = (text: unknown): WorkerDescription | null =>
  readIfKnown(workerSchema, text) ?? readIfKnown(foreignWorkerSchema, text);

export const readJob = (text: unknown): Job => jobSchema.parse(parsed(text));
export const readFailure = (text: unknown): z.infer<typeof failureSchema> => failureSchema.parse(parsed(text));
export const readLabelSets = (text: unknown): string[][] => z.array(strings).parse(parsed(text));
export const readGroups = (text: unknown): string[] => strings.parse(parsed(text));

function otherVersion() {
  return z.string().refine((version) => version !== salvoVersion());
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
