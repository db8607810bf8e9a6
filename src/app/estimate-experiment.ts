import { resolve } from 'node:path';
import { type ExperimentEstimate, estimateExperiment } from '../arena/experiment/plan/estimate-experiment.ts';
import { loadExperiment } from '../arena/experiment/plan/load-experiment.ts';
import type { Game } from '../arena/game/game-document.ts';
import { loadProject } from '../scenario/load-project.ts';
import { openProjectIfStored, type Workplace } from './open-project.ts';

/** What the experiment of a YAML file would do and cost, judged by stored games. Plays and stores nothing. */
export async function estimateExperimentFile({
  file,
  ...place
}: Workplace & { file: string }): Promise<ExperimentEstimate> {
  const { cwd = process.cwd() } = place;
  const project = await loadProject(cwd);
  const plan = loadExperiment({ file: resolve(cwd, file), project });
  return estimateExperiment(plan, earlierGames(place));
}

const MOST_EXPERIMENTS = 10;
const MOST_GAMES = 300;

/** The first games of the newest experiments. */
async function* earlierGames(place: Workplace): AsyncGenerator<Game> {
  await using opened = await openProjectIfStored(place);
  const { store } = opened;
  if (!store) return;
  for (const { experiment_id } of await store.listExperiments({ limit: MOST_EXPERIMENTS })) {
    let count = 0;
    for await (const game of store.games(experiment_id)) {
      yield game;
      count += 1;
      if (count >= MOST_GAMES) break;
    }
  }
}
