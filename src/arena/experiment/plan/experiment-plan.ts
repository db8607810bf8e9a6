import { z } from 'zod';
import { projectName } from '../../../secrets/text-marks.ts';
import { experimentSchema } from './experiment-schema.ts';

/**
 * What an experiment is going to play, with its tasks chosen: all that is needed to play it, so that it can be resumed
 * when its file has changed or is gone.
 */
export const experimentPlanSchema = z.object({
  ...experimentSchema.shape,
  name: projectName(z.string()),
  /** Ids of the catalogue, or texts. */
  tasks: projectName(z.array(z.string())),
  red: projectName(z.array(z.string())),
  blue: projectName(z.array(z.string())),
  category: projectName(z.string()).optional(),
});

export type ExperimentPlan = z.infer<typeof experimentPlanSchema>;

/** More than anybody plays, and few enough to be counted on. */
export const MOST_GAMES = 1_000_000;

/** How many pieces of code there are to be made: every Blue looks at the same ones. */
export function codesPlanned(plan: ExperimentPlan): number {
  const { tasks, red, difficulty, language, strategy, repetitions } = plan;
  return tasks.length * red.length * difficulty.length * language.length * strategy.length * repetitions;
}

export function gamesPlanned(plan: ExperimentPlan): number {
  return codesPlanned(plan) * plan.blue.length;
}
