import { z } from 'zod';
import type { Game } from '../../game/game-document.ts';
import { experimentSchema } from './experiment-schema.ts';

/**
 * What an experiment is going to play, with its tasks chosen: all that is needed to play it, so that it can be resumed
 * when its file has changed or is gone.
 */
export const experimentPlanSchema = z.object({
  ...experimentSchema.shape,
  /** Ids of the catalogue, or texts. */
  tasks: z.array(z.string()),
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

/** What cells of a matrix differ in, in the order in which it is played. */
const DIMENSIONS = ['difficulty', 'language', 'strategy', 'red', 'blue'] as const;

/** Sorts by the plan. Cells that come as they were first scored would change places when a game fails. */
export function byPlan(plan: ExperimentPlan) {
  const places = DIMENSIONS.map((dimension) => {
    const names: readonly string[] = plan[dimension];
    return { dimension, place: new Map(names.map((name, index) => [name, index])) };
  });
  return (a: Partial<Pick<Game, (typeof DIMENSIONS)[number]>>, b: typeof a): number => {
    for (const { dimension, place } of places) {
      const difference = (place.get(a[dimension] ?? '') ?? 0) - (place.get(b[dimension] ?? '') ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}
