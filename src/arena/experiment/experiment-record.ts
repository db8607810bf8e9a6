import { z } from 'zod';
import { projectName, textFree } from '../../secrets/text-marks.ts';
import { experimentPlanSchema } from './plan/experiment-plan.ts';

/** An experiment as it is stored; its games are stored beside it, each as it ends. */
export const experimentRecordSchema = z.object({
  experiment_id: textFree(z.string()),
  /** `scanner`: played by `salvo bench-scanner`, and shown as a scorecard. */
  kind: z.enum(['matrix', 'scanner']),
  name: projectName(z.string()),
  created_at: textFree(z.string()),
  finished_at: textFree(z.string()).nullable(),
  /** `stopped`: by its budget, or because it was hopeless. */
  status: z.enum(['running', 'finished', 'interrupted', 'stopped']),
  /** Why it was stopped, in words. */
  stop_reason: projectName(z.string()).nullable(),
  games_planned: z.int().nonnegative(),
  salvo_version: textFree(z.string()),
  plan: experimentPlanSchema,
  /** The process that is at work on it, to refuse a second one. */
  owner: z.object({ pid: z.int(), host: textFree(z.string()) }).nullable(),
});

export type ExperimentRecord = z.infer<typeof experimentRecordSchema>;
