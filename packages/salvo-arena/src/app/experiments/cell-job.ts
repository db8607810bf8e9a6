import type { Job } from 'salvo/kit/queue';
import { z } from 'zod';
import type { Cell } from '../../experiment/plan/expand-plan.ts';

const cellJobSchema = z.object({
  /** Positions of the games in the experiment: all are played on the same piece of code. */
  cells: z.array(z.int().nonnegative()).min(1),
  /** The code was lost, so games are played again although they are scored. */
  replay: z.boolean(),
});

/** The games on one piece of code as a job for workers. */
export function jobOfCells(
  { codeKey, cells }: { codeKey: string; cells: readonly Cell[] },
  { replay, labels }: { replay: boolean; labels: readonly string[] },
): Job {
  return { key: codeKey, group: 'games', labels, data: { cells: cells.map(({ index }) => index), replay } };
}

export function readCellJob({ data }: Pick<Job, 'data'>): z.infer<typeof cellJobSchema> {
  return cellJobSchema.parse(data);
}
