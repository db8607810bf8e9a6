import type { Game } from '../../game/game-document.ts';
import type { ExperimentPlan } from './experiment-plan.ts';

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
