import { z } from 'zod';
import { projectName, textFree } from '../../secrets/text-marks.ts';

/** How a trial came to be labelled: by a seeded draw in which doubtful trials are more likely. See `draw-trials.ts`. */
export const drawnSchema = z.object({
  /** How much more likely it was to be drawn next than an average trial: 1 is the average. */
  rate: z.number().positive(),
  /** When it was drawn, on the scale of the draw: a trial is drawn until `t` with a chance of 1 - exp(-rate * t). */
  at: z.number().nonnegative(),
  /** Its place in the order of all `of` trials, from 1. */
  position: z.int().positive(),
  of: z.int().positive(),
  /** Which draw it was: the same if the trials and their rates are. Missing in labels of earlier versions. */
  draw: textFree(z.string()).optional(),
});

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
  /** Missing if a person chose the trial, and in labels of earlier versions. */
  drawn: drawnSchema.optional(),
  labelled_by: projectName(z.string()),
  created_at: textFree(z.string()),
});

export type Drawn = z.infer<typeof drawnSchema>;
export type HumanLabel = z.infer<typeof humanLabelSchema>;
