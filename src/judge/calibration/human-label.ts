import { z } from 'zod';
import { projectName, textFree } from '../../secrets/text-marks.ts';

/**
 * What a person says of a trial, or of a criterion of one of its judges. A document: stored as it is. It is about the
 * trace, so it also counts when the same conversation is judged again.
 */
export const humanLabelSchema = z.object({
  label_id: textFree(z.string()),
  trace_id: textFree(z.string()),
  /** Where the trace was looked at. */
  run_id: textFree(z.string()),
  scenario_index: z.int().nonnegative(),
  scenario: projectName(z.string()),
  file: projectName(z.string()),
  case_index: z.int().nonnegative(),
  case: projectName(z.string()).nullable(),
  trial_number: z.int().positive(),
  /** The judge that the label is for; null: for the trial as a whole. */
  assertion_id: projectName(z.string()).nullable(),
  /** A criterion of that judge; null: for its verdict. */
  criterion: projectName(z.string()).nullable(),
  passed: z.boolean(),
  /** From 0 to 1; null if the person only said pass or fail. */
  score: z.number().min(0).max(1).nullable(),
  note: z.string(),
  labelled_by: projectName(z.string()),
  created_at: textFree(z.string()),
});

export type HumanLabel = z.infer<typeof humanLabelSchema>;
