import { z } from 'zod';
import { projectName, textFree } from '../../secrets/text-marks.ts';
import { experimentPlanSchema } from './plan/experiment-plan.ts';

/** An experiment as it is stored. Its games are stored separately, each when it ends. */
export const experimentRecordSchema = z.object({
  experiment_id: textFree(z.string()),
  /** `scanner`: played by `salvo bench-scanner`, and reported as a scorecard. */
  kind: z.enum(['matrix', 'scanner']),
  name: projectName(z.string()),
  created_at: textFree(z.string()),
  finished_at: textFree(z.string()).nullable(),
  /** `stopped`: by its budget, or because its manifests are too often wrong. */
  status: z.enum(['running', 'finished', 'interrupted', 'stopped']),
  /** Why it was stopped, for people. */
  stop_reason: projectName(z.string()).nullable(),
  games_planned: z.int().nonnegative(),
  salvo_version: textFree(z.string()),
  plan: experimentPlanSchema,
  /** The process that works on it: a second one is refused. */
  owner: z.object({ pid: z.int(), host: textFree(z.string()) }).nullable(),
});

export type ExperimentRecord = z.infer<typeof experimentRecordSchema>;
