import type { Work, WorkOrder } from 'salvo/kit/queue';
import { SalvoError, salvoVersion } from 'salvo/kit/text';
import type { WorkKind, WorkTypes } from 'salvo/kit/work';
import { z } from 'zod';
import type { PackedProject } from '../bundle/pack-project.ts';

/** What workers have to know of work of every kind. */
const settingsSchema = z.object({
  /** What its jobs ask for: a worker must have all of one of these lists. */
  labels: z.array(z.array(z.string())),
  budget_usd: z.number().nonnegative().nullable(),
  /** The hashes of files besides those of the project, by their names. */
  files: z.record(z.string(), z.string()),
  /** What its kind needs besides. */
  own: z.record(z.string(), z.unknown()),
});

type OrderSettings = z.infer<typeof settingsSchema>;

/** The order of work whose files are packed. */
export function newOrder(work: Work, packed: Pick<PackedProject, 'hash' | 'code'>, settings: OrderSettings): WorkOrder {
  const code = packed.code ? [packed.code.hash] : [];
  return { work, salvo_version: salvoVersion(), bundle: packed.hash, code, settings };
}

export function settingsOf(order: WorkOrder): OrderSettings {
  return readAs(settingsSchema, order, order.settings);
}

/** What only its kind understands. */
export function ownSettingsOf<T extends WorkTypes>(kind: WorkKind<T>, order: WorkOrder): T['settings'] {
  return readAs(kind.settings, order, settingsOf(order).own);
}

function readAs<T>(schema: z.ZodType<T>, { work }: WorkOrder, settings: unknown): T {
  const read = schema.safeParse(settings);
  if (read.success) return read.data;
  throw new SalvoError('ORDER_UNREADABLE', `The order of ${work.kind} ${work.id} cannot be read.`, {
    cause: read.error,
  });
}

/** All labels that jobs of an order ask for, each combination once. */
export function labelsOfOrder(order: WorkOrder): string[][] {
  const all = settingsOf(order).labels;
  return [...new Map(all.map((labels) => [JSON.stringify([...labels].sort()), labels])).values()];
}
