import { type CoordinatedWork, coordinate, createNoticedOutages, type FailedJob, type Job } from 'salvo/kit/queue';
import type { CoordinatorRequest } from 'salvo/kit/work';
import {
  conductExperiment,
  type EarlierGames,
  type PlayedCells,
  restorableCode,
} from '../../experiment/conduct-experiment.ts';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import {
  type Cell,
  cellAt,
  gameId,
  indexOfGame,
  missingCells,
  placeOfGame,
} from '../../experiment/plan/expand-plan.ts';
import type { Game } from '../../game/game-document.ts';
import { playGame } from '../../game/play-game.ts';
import { RedTeamError } from '../../red/red-team-error.ts';
import { experimentsOf } from '../../store/experiment-tables.ts';
import { jobOfCells, readCellJob } from './cell-job.ts';
import type { ExperimentGames } from './experiment-performer.ts';

type Request = CoordinatorRequest<ExperimentGames>;

/** Adds the missing games as jobs, follows their results, and returns the record as it is stored at the end. */
export async function coordinateExperiment(request: Request): Promise<ExperimentRecord> {
  const { record: experiment, store, stop, abort, onEvent } = request;
  const { experiment_id: experimentId, plan } = experiment;
  const recorder = experimentsOf(store);
  const outages = createNoticedOutages();
  const conducted = { experiment, recorder, stop, abort, onEvent, now: () => new Date() };
  return await conductExperiment(conducted, async ({ earlier, count }, signals) => {
    /** Positions of the games that workers have stored. */
    const ended = new Set<number>();
    let wasKilled = request.wasAttemptLost();
    const work: CoordinatedWork<Game, PlayedCells> = {
      ...{ outages, earlier, onEvent },
      jobs: () => jobsOf(request, earlier),
      changed: (cursor) => recorder.changedGames(experimentId, cursor),
      count(game) {
        const index = indexOfGame(game.game_id);
        if (earlier.scored.has(game.game_id) || ended.has(index)) return;
        ended.add(index);
        count(game);
        onEvent({ type: 'game_finished', cell: cellAt(plan, index), game });
      },
      // No job has such a group: workers learn that games which need the model fail everywhere.
      pointless: outages.outGroups,
      onFailed: (failed) => storeFailed(failed, request),
      onAgain() {
        wasKilled = true;
      },
      async ended({ budgetRefusal }) {
        // Those that failed under the earlier coordinator are not played again by the same order.
        const isOver = ({ status, game_id }: Game): boolean =>
          status === 'scored' || (budgetRefusal === null && (request.isTakenOver || ended.has(indexOfGame(game_id))));
        let stored = -earlier.scored.size;
        for await (const game of recorder.games(experimentId)) if (isOver(game)) stored += 1;
        return { stored, budgetRefusal, wasKilled };
      },
    };
    return await coordinate(request, work, signals);
  });
}

async function* jobsOf(
  { record: { experiment_id: experimentId, plan }, store, labels: [labels = []] }: Request,
  earlier: EarlierGames,
): AsyncGenerator<Job> {
  const canRestore = restorableCode(experimentId, experimentsOf(store));
  for await (const group of missingCells({ plan, experimentId, scored: earlier.scored, canRestore })) {
    const again = group.cells.filter((cell) => earlier.scored.delete(gameId(experimentId, cell)));
    yield jobOfCells(group, { replay: again.length > 0, labels });
  }
}

/** Games that no worker could end are failed, and say why. */
async function storeFailed({ job, attempts, reason }: FailedJob, { record, store }: Request): Promise<void> {
  const { experiment_id: experimentId, plan } = record;
  const { getGame, saveGame } = experimentsOf(store);
  for (const index of readCellJob(job).cells) {
    const cell = cellAt(plan, index);
    const stored = await getGame(experimentId, gameId(experimentId, cell));
    if (stored?.game.status === 'scored') continue;
    const why = `given up after ${attempts} attempts: ${reason}`;
    await saveGame(await failedGame(cell, experimentId, why), null);
  }
}

async function failedGame(cell: Cell, experimentId: string, reason: string): Promise<Game> {
  const refuse = async (): Promise<never> => {
    throw new RedTeamError('JOB_FAILED', reason);
  };
  const { game } = await playGame({
    ...cell,
    red: { name: cell.red, generate: refuse },
    blue: { name: cell.blue, analyze: refuse },
    gate: refuse,
    judge: { scoreAsync: refuse },
    place: placeOfGame(experimentId, cell),
  });
  return game;
}
