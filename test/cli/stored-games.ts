import { existsSync } from 'node:fs';
import type { Game } from '../../packages/salvo-arena/src/game/game-document.ts';
import { experimentsOf } from '../../packages/salvo-arena/src/store/experiment-tables.ts';
import type { ProjectFixture } from '../project-fixture.ts';
import { storeOf } from './cli-fixture.ts';

/** The games of the newest experiment of a project. */
export async function storedGames(project: ProjectFixture): Promise<Game[]> {
  if (!existsSync(project.path('.salvo/salvo.db'))) return [];
  await using store = await storeOf(project);
  const [experiment] = await experimentsOf(store).listExperiments({ limit: 1 });
  return experiment ? Array.fromAsync(experimentsOf(store).games(experiment.experiment_id)) : [];
}
