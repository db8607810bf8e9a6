import { z } from 'zod';

const noteSchema = z.object({
  what: z.string(),
  why: z.string(),
  place: z.object({ file: z.string(), line: z.int(), column: z.int() }),
  count: z.int().positive(),
});

/** What `salvo import promptfoo` and the like have done. */
export const migrationReportSchema = z.object({
  tool: z.enum(['promptfoo', 'openai-evals', 'deepeval', 'inspect-samples']),
  source: z.string(),
  out: z.string(),
  /** False with --dry-run. */
  written: z.boolean(),
  /** Nothing is left out. */
  complete: z.boolean(),
  files: z.array(z.string()),
  scenarios: z.int(),
  rows: z.object({ read: z.int(), written: z.int(), only_shown: z.int() }),
  translated: z.array(z.object({ what: z.string(), to: z.string(), count: z.int() })),
  changed: z.array(noteSchema),
  left_out: z.array(noteSchema),
  unneeded: z.array(noteSchema),
});

export type MigrationReport = z.infer<typeof migrationReportSchema>;
