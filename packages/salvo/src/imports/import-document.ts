import { z } from 'zod';

/** What was read of a file, and what was not. */
const fileReportSchema = z.object({
  file: z.string(),
  /** Null if nothing in the file says what it is. */
  format: z.string().nullable(),
  bytes: z.int().nonnegative(),
  conversations: z.int().nonnegative(),
  /** Equal to one before, with the same id or time, and left out. Not among the conversations. */
  doubled: z.int().nonnegative(),
  messages: z.int().nonnegative(),
  calls: z.int().nonnegative(),
  calls_without_result: z.int().nonnegative(),
  results_without_call: z.int().nonnegative(),
  input_tokens: z.number().nonnegative(),
  output_tokens: z.number().nonnegative(),
  /** Fields that no part of a trace stands for, and in how many conversations each is. They are stored beside the trace. */
  aside: z.record(z.string(), z.int().positive()),
  /** How many records could not be read, or only in part. */
  losses_total: z.int().nonnegative(),
  /** The first of them, at most 10,000. Line 0 is the file as a whole. */
  losses: z.array(z.object({ line: z.int().nonnegative(), place: z.string(), problem: z.string() })),
});

/** What `salvo import` has done. */
export const importReportSchema = z.object({
  /** Null if nothing was stored. */
  run_id: z.string().nullable(),
  /**
   * stored: as a new run, or the rest of one that was interrupted. present: the same import is stored already. dry_run:
   * nothing was stored. interrupted: what was stored until then stays.
   */
  status: z.enum(['stored', 'present', 'dry_run', 'interrupted']),
  files: z.array(fileReportSchema),
  scenarios: z.array(
    z.object({
      name: z.string(),
      cases: z.int().nonnegative(),
      trials: z.int().nonnegative(),
      /** The chance that all of k trials of a case passed, by k. Empty without given outcomes, and if nothing was stored. */
      pass_hat_k: z.record(z.string(), z.number()),
    }),
  ),
  /** How many conversations come with an outcome, and how many of them passed. It was given, and not judged. */
  given: z.object({ outcomes: z.int().nonnegative(), passed: z.int().nonnegative() }),
  /** What a reader should know, one sentence each. */
  notes: z.array(z.string()),
});

export type FileReport = z.infer<typeof fileReportSchema>;
export type ImportReport = z.infer<typeof importReportSchema>;
