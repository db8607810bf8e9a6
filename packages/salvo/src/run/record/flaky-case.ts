import { z } from 'zod';
import { projectName, textFree } from '../../secrets/text-marks.ts';

/** A case, or a scenario without data, that both passed and failed although nothing was changed. */
export const flakyCaseSchema = z.object({
  scenario: projectName(z.string()),
  file: projectName(z.string()),
  adapter: projectName(z.string()),
  model: projectName(z.string()),
  /** Null without data. */
  case: projectName(z.string()).nullable(),
  commit: textFree(z.string()),
  trials_passed: z.int(),
  trials_scored: z.int(),
  /** The runs at this commit in which it was scored, in the order given. */
  runs: z.array(textFree(z.string())),
  /** The first of them in which a trial failed. */
  failed_in: textFree(z.string()),
});

export type FlakyCase = z.infer<typeof flakyCaseSchema>;
