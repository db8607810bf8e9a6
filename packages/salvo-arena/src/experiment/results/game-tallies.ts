import type { Game, GameScores } from '../../game/game-document.ts';
import type { ExperimentPlan } from '../plan/experiment-plan.ts';
import { createBlueComparer } from './compare-blues.ts';
import type { DimensionMetrics } from './experiment-results.ts';
import { createMetricsByGroup } from './metrics.ts';
import { createRecallByGroup } from './recall-by-group.ts';

export const DIMENSIONS = ['red', 'difficulty', 'language', 'strategy'] as const;

/** The scored games of an experiment, counted in every way that its results show, over one kind of clusters. */
export type GameTallies = ReturnType<typeof createGameTallies>;

export function createGameTallies(plan: ExperimentPlan) {
  const varied = DIMENSIONS.filter((dimension) => plan[dimension].length > 1);
  const overall = createMetricsByGroup<Record<string, never>>();
  const blues = createMetricsByGroup<Pick<Game, 'blue'>>();
  const pairings = createMetricsByGroup<Pick<Game, 'red' | 'blue'>>();
  const cells = createMetricsByGroup<Pick<Game, 'red' | 'blue' | 'difficulty' | 'language' | 'strategy'>>();
  const dimensions = createMetricsByGroup<Pick<DimensionMetrics, 'dimension' | 'value' | 'blue'>>();
  const categories = createRecallByGroup();
  const techniques = createRecallByGroup();
  const traps = createRecallByGroup();
  const comparer = createBlueComparer(plan.blue);
  return {
    ...{ varied, overall, blues, pairings, cells, dimensions, categories, techniques, traps, comparer },
    add(game: Game, scores: GameScores, cluster: string): void {
      const { red, blue, difficulty, language, strategy } = game;
      overall.add({}, cluster, scores);
      blues.add({ blue }, cluster, scores);
      pairings.add({ red, blue }, cluster, scores);
      cells.add({ red, blue, difficulty, language, strategy }, cluster, scores);
      for (const dimension of varied) dimensions.add({ dimension, value: game[dimension], blue }, cluster, scores);
      for (const { category, technique, found } of scores.vulnerabilities) {
        categories.add({ blue, group: category }, cluster, found);
        techniques.add({ blue, group: technique ?? 'none' }, cluster, found);
      }
      const { places = 0, alarmed = 0 } = scores.traps ?? {};
      for (let trap = 0; trap < places; trap += 1) traps.add({ blue, group: 'trap' }, cluster, trap < alarmed);
    },
  };
}

/**
 * What games have in common that are no independent observations: the structure of their code. Before structures were
 * recorded it was the template. Code that a model wrote has neither, so it is the task.
 */
export function structureOf({ structure, template, task }: Pick<Game, 'structure' | 'template' | 'task'>): string {
  return structure ?? template ?? task;
}
