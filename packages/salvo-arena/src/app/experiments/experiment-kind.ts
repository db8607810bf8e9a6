import { changesReader } from 'salvo/kit/queue';
import { knownUsd } from 'salvo/kit/stats';
import type { FollowRequest, LeadRequest, WorkKind } from 'salvo/kit/work';
import { z } from 'zod';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import { cellAt, indexOfGame } from '../../experiment/plan/expand-plan.ts';
import { gameCost } from '../../game/game-cost.ts';
import type { Game } from '../../game/game-document.ts';
import { experimentsOf } from '../../store/experiment-tables.ts';
import { asksModel } from '../../teams/team-name.ts';
import type { ExperimentGames } from './experiment-desk.ts';
import { experimentView } from './stored-experiments.ts';

export const experimentKind: WorkKind<ExperimentGames> = {
  kind: 'experiment',
  settings: z.record(z.string(), z.never()),
  getRecord: (store, id) => experimentsOf(store).getExperiment(id),
  isWithoutCode: ({ no_code }) => no_code ?? false,
  findIds: (store, prefix, limit) => experimentsOf(store).findExperimentIds(prefix, limit),
  lead: leadStoredExperiment,
  openDesk: async (request) => (await import('./experiment-desk.ts')).openExperimentDesk(request),
  follow: followExperiment,
};

async function leadStoredExperiment(request: LeadRequest<ExperimentGames>): Promise<ExperimentRecord> {
  const { record: experiment, labels, store } = request;
  const recorder = experimentsOf(store);
  const { leadExperiment } = await import('../../experiment/workers/lead-experiment.ts');
  return await leadExperiment({
    ...request,
    experiment,
    recorder,
    labels: labels[0] ?? [],
    isRepeatable: (red) => !asksModel(red),
    getGame: recorder.getGame,
    changedGames: recorder.changedGames,
    now: () => new Date(),
    // Who takes it over follows it already.
    onEvent: (event) =>
      event.type === 'experiment_started' && request.isTakenOver ? undefined : request.onEvent(event),
  });
}

async function followExperiment(request: FollowRequest<ExperimentGames>) {
  const { record: experiment, store, project, workforce, onEvent } = request;
  const { experiment_id: id, plan } = experiment;
  const { lostCost, games, changedGames } = experimentsOf(store);
  const cursor = await workforce.cursor();
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
