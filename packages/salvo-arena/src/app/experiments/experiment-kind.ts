import { changesReader } from 'salvo/kit/queue';
import { knownUsd } from 'salvo/kit/stats';
import type { FollowRequest, WorkKind } from 'salvo/kit/work';
import { z } from 'zod';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import { cellAt, indexOfGame } from '../../experiment/plan/expand-plan.ts';
import { gameCost } from '../../game/game-cost.ts';
import type { Game } from '../../game/game-document.ts';
import { experimentsOf } from '../../store/experiment-tables.ts';
import type { ExperimentGames } from './experiment-performer.ts';
import { experimentView } from './stored-experiments.ts';

export const experimentKind: WorkKind<ExperimentGames> = {
  kind: 'experiment',
  settings: z.record(z.string(), z.never()),
  getRecord: (store, id) => experimentsOf(store).getExperiment(id),
  isWithoutCode: ({ no_code }) => no_code ?? false,
  findIds: (store, prefix, limit) => experimentsOf(store).findExperimentIds(prefix, limit),
  coordinate: async (request) => (await import('./coordinate-experiment.ts')).coordinateExperiment(request),
  openPerformer: async (request) => (await import('./experiment-performer.ts')).openExperimentPerformer(request),
  follow: followExperiment,
};

async function followExperiment(request: FollowRequest<ExperimentGames>) {
  const { record: experiment, store, project, workerAccess, onEvent } = request;
  const { experiment_id: id, plan } = experiment;
  const { lostCost, games, changedGames } = experimentsOf(store);
  const cursor = await workerAccess.cursor();
  const seen = new Set<string>();
  let spentUsd = await lostCost(id);
  for await (const game of games(id)) {
    seen.add(game.game_id);
    spentUsd += knownUsd(gameCost(game));
  }
  onEvent({ type: 'experiment_started', experiment, earlier: seen.size, spentUsd });
  const count = (game: Game): void => {
    if (seen.has(game.game_id)) return;
    seen.add(game.game_id);
    onEvent({ type: 'game_finished', cell: cellAt(plan, indexOfGame(game.game_id)), game });
  };
  return {
    read: changesReader(cursor, { changed: (since) => changedGames(id, since), count }),
    end: async (ended: ExperimentRecord) => experimentView(ended, { store, project }),
  };
}
