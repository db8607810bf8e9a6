import { projectName, textFree } from 'salvo/kit/secrets';
import { z } from 'zod';
import type { Game } from '../../game/game-document.ts';
import { LANGUAGES } from '../../tasks/game-settings.ts';
import { experimentSchema } from './experiment-schema.ts';

/**
 * What an experiment plays, with its tasks chosen. It has everything that is needed to play the experiment, so that it
 * can be resumed when its file has changed or is gone.
 */
export const experimentPlanSchema = z.object({
  ...experimentSchema.shape,
  name: projectName(z.string()),
  /** Ids of the catalogue, or texts. */
  tasks: projectName(z.array(z.string())),
  /** Code of the user, of which each is a task of this name. `hash` and `language` are known when it was read. */
  own_code: z
    .array(
      z.object({
        name: projectName(z.string()),
        /** A path from the project's folder, or a git address. */
        source: projectName(z.string()),
        hash: textFree(z.string()).optional(),
        language: z.enum(LANGUAGES).optional(),
      }),
    )
    .optional(),
  red: projectName(z.array(z.string())),
  blue: projectName(z.array(z.string())),
  category: projectName(z.string()).optional(),
  llm: projectName(z.array(z.string())).optional(),
  judge: projectName(z.string()).optional(),
  adapter: projectName(z.string()).optional(),
  blue_category: projectName(z.string()).optional(),
});

export type ExperimentPlan = z.infer<typeof experimentPlanSchema>;

/** More than a real experiment has. Ids of games are padded for this many. */
export const MOST_GAMES = 1_000_000;

/** How many pieces of code Red makes: every Blue looks at the same ones. */
export function codesPlanned(plan: ExperimentPlan): number {
  const { tasks, red, difficulty, language, strategy, repetitions } = plan;
  return tasks.length * red.length * difficulty.length * language.length * strategy.length * repetitions;
}

/** How often each Blue looks at the same code. */
export function runsOf({ runs = 1 }: Pick<ExperimentPlan, 'runs'>): number {
  return runs;
}

export function gamesPlanned(plan: ExperimentPlan): number {
  return codesPlanned(plan) * plan.blue.length * runsOf(plan);
}

/** What the cells of a matrix differ in, in the order in which they are played. */
const DIMENSIONS = ['difficulty', 'language', 'strategy', 'red', 'blue'] as const;

/** Sorts by the plan: in the order of first scores, a game that fails would move its cell. */
export function comparePlanOrder(plan: ExperimentPlan) {
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
