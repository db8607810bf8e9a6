import { createNoticedOutages, type FailedJob, followWorkers, type Job, type Lead } from 'salvo/kit/queue';
import { openResources } from 'salvo/kit/resources';
import type { Game } from '../../game/game-document.ts';
import { playGame } from '../../game/play-game.ts';
import { RedTeamError } from '../../red/red-team-error.ts';
import {
  type ClaimedExperiment,
  conductExperiment,
  type ExperimentWork,
  type PlayedCells,
  restorableCode,
} from '../conduct-experiment.ts';
import type { ExperimentRecord } from '../experiment-record.ts';
import { type Cell, cellAt, gameId, indexOfGame, missingCells, placeOfGame } from '../plan/expand-plan.ts';
import { jobOfCells, readCellJob } from './cell-job.ts';

/** An experiment whose games workers play. */
export interface LeadExperimentRequest extends Lead, ExperimentWork {
  /** What a worker must have. */
  labels: readonly string[];
  isRepeatable: (red: string) => boolean;
  getGame: (experimentId: string, gameId: string) => Promise<{ game: Game } | null>;
  /** Games that changed since the cursor: a page of them. */
  changedGames: (experimentId: string, cursor: string) => Promise<{ games: Game[]; cursor: string }>;
}

/** Adds the missing games as jobs, follows their results, and returns the record as it is stored at the end. */
export async function leadExperiment(request: LeadExperimentRequest): Promise<ExperimentRecord> {
  return await conductExperiment(request, (claimed) => playByWorkers(request, claimed));
}

async function playByWorkers(request: LeadExperimentRequest, claimed: ClaimedExperiment): Promise<PlayedCells> {
  const { experiment, onEvent } = request;
  const { earlier } = claimed;
  await using opened = openResources();
  const led = opened.use(await request.openOrder(earlier));
  let wasKilled = request.wasAttemptLost();
  const outages = createNoticedOutages();
  const ended = followGames(request, claimed, request.claimedAt());
  const { budgetRefusal } = await followWorkers(led, {
    lead: request,
    work: {
      outages,
      jobs: () => jobsOf(request, claimed),
      readResults: ended.read,
      // No job has such a group: workers learn that games which need the model fail everywhere.
      pointless: outages.outGroups,
      onFailed: (failed) => storeFailed(failed, request),
      onAgain() {
        wasKilled = true;
      },
      onEvent,
    },
    signals: { ...claimed, lost: claimed.lease.lost },
  });
  // Those that failed under the earlier lead are not played again by the same order.
  const isOver = ({ status, game_id }: Game): boolean =>
    status === 'scored' || (budgetRefusal === null && (request.isTakenOver || ended.games.has(indexOfGame(game_id))));
  let stored = -earlier.scored.size;
  for await (const game of request.recorder.games(experiment.experiment_id)) if (isOver(game)) stored += 1;
  opened.release();
  return { stored, budgetRefusal, wasKilled, led };
}

async function* jobsOf(
  { experiment, recorder, isRepeatable, labels }: LeadExperimentRequest,
  { earlier }: ClaimedExperiment,
): AsyncGenerator<Job> {
  const { experiment_id: experimentId, plan } = experiment;
  const canRestore = restorableCode({ experimentId, recorder, isRepeatable });
  for await (const group of missingCells({ plan, experimentId, scored: earlier.scored, canRestore })) {
    const again = group.cells.filter((cell) => earlier.scored.delete(gameId(experimentId, cell)));
    yield jobOfCells(group, { replay: again.length > 0, labels });
  }
}

/** Counts the games that workers have stored. */
function followGames(
  { experiment, changedGames, onEvent }: LeadExperimentRequest,
  { count, earlier }: ClaimedExperiment,
  start: string,
) {
  let cursor = start;
  /** Their positions. */
  const games = new Set<number>();
  return {
    games,
    async read(): Promise<void> {
      for (;;) {
        const page = await changedGames(experiment.experiment_id, cursor);
        cursor = page.cursor;
        for (const game of page.games) {
          if (earlier.scored.has(game.game_id)) continue;
          const index = indexOfGame(game.game_id);
          const isNew = !games.has(index);
          games.add(index);
          if (!isNew) continue;
          count(game);
          onEvent({ type: 'game_finished', cell: cellAt(experiment.plan, index), game });
        }
        if (page.games.length === 0) return;
      }
    },
  };
}

/** Games that no worker could end are failed, and say why. */
async function storeFailed({ job, attempts, reason }: FailedJob, request: LeadExperimentRequest): Promise<void> {
  const { experiment, recorder, getGame } = request;
  const { experiment_id: experimentId, plan } = experiment;
  for (const index of readCellJob(job).cells) {
    const cell = cellAt(plan, index);
    const stored = await getGame(experimentId, gameId(experimentId, cell));
    if (stored?.game.status === 'scored') continue;
    const why = `given up after ${attempts} attempts: ${reason}`;
    await recorder.saveGame(await failedGame(cell, experimentId, why), null);
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
