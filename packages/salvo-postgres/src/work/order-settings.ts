import { judgeFactsSchema } from 'salvo/kit/judge';
import type { Work, WorkOrder } from 'salvo/kit/queue';
import { projectSchema } from 'salvo/kit/scenario';
import { SalvoError, salvoVersion } from 'salvo/kit/text';
import { z } from 'zod';
import type { PackedProject } from '../parcel/pack-project.ts';

const labelsSchema = z.array(z.string());

/** What the workers and the next lead of a run have to know, besides its stored record. */
const runSettingsSchema = z.object({
  /** By position of the scenario: what a worker must have. Scenarios after these are skipped. */
  labels: z.array(labelsSchema),
  early_stop: z.boolean(),
  retries: z.int().nonnegative().nullable(),
  judge_cache: z.boolean(),
  budget_usd: z.number().nonnegative().nullable(),
  /** The judge of salvo.yaml. */
  judge: projectSchema.shape.judge,
  /** The judges that its scenarios ask. */
  judges: z.array(z.object({ judge_hash: z.string(), is_script: z.boolean(), facts: judgeFactsSchema })),
  /** The hash of the file with its baseline; null if it has none. */
  baseline: z.string().nullable(),
});

const experimentSettingsSchema = z.object({
  labels: labelsSchema,
  budget_usd: z.number().nonnegative().nullable(),
});

export type RunSettings = z.infer<typeof runSettingsSchema>;
export type ExperimentSettings = z.infer<typeof experimentSettingsSchema>;

/** The order of work whose files are packed. */
export function newOrder(
  work: Work,
  packed: Pick<PackedProject, 'hash' | 'code'>,
  settings: RunSettings | ExperimentSettings,
): WorkOrder {
  const code = packed.code ? [packed.code.hash] : [];
  return { work, salvo_version: salvoVersion(), parcel: packed.hash, code, settings };
}

export function runSettingsOf(order: WorkOrder): RunSettings {
  return read(runSettingsSchema, order);
}

export function experimentSettingsOf(order: WorkOrder): ExperimentSettings {
  return read(experimentSettingsSchema, order);
}

function read<T>(schema: z.ZodType<T>, { work, settings }: WorkOrder): T {
  const { data, error } = schema.safeParse(settings);
  if (data !== undefined) return data;
  throw new SalvoError('ORDER_UNREADABLE', `The order of ${work.kind} ${work.id} cannot be read.`, { cause: error });
}

/** All labels that jobs of an order ask for, each combination once. */
export function labelsOfOrder(order: WorkOrder): string[][] {
  const all = order.work.kind === 'run' ? runSettingsOf(order).labels : [experimentSettingsOf(order).labels];
  return [...new Map(all.map((labels) => [JSON.stringify([...labels].sort()), labels])).values()];
}
