import { type Budget, metered } from 'salvo/kit/models';
import { newId, runPool } from 'salvo/kit/queue';
import { knownUsd } from 'salvo/kit/stats';
import { errorCode } from 'salvo/kit/text';
import { gameCost } from '../game/game-cost.ts';
import type { Game } from '../game/game-document.ts';
import type { GamePlace } from '../game/game-setup.ts';
import type { GameSheet } from '../game/game-sheet.ts';
import type { RedTeam } from '../red/red-team.ts';
import {
  conductExperiment,
  type EarlierGames,
  type ExperimentEvent,
  type ExperimentWork,
  pairKind,
  restorableCode,
} from './conduct-experiment.ts';
import type { ExperimentRecord, ExperimentRecorder } from './experiment-record.ts';
import { type Cell, gameId, missingCells, placeOfGame } from './plan/expand-plan.ts';
import { createSharedCode, type SharedCode } from './shared-code.ts';

/** What playing a game of an experiment needs. */
export interface GameRequest {
  experiment: ExperimentRecord;
  recorder: Pick<ExperimentRecorder, 'saveGame' | 'saveCode' | 'getCode' | 'addLostCost'>;
  redOf: (name: string) => RedTeam;
  /** Plays one game. The Red may return code that was made before. Rejects only when the game is given up. */
  play: (cell: Cell, red: RedTeam, place: GamePlace) => Promise<{ game: Game; sheet: GameSheet | null }>;
  /** Pays for all calls of the teams, too. */
  budget: Budget;
  /** Whether a game failed only here, so that it is not stored, and another process should play it. */
  isForOthers?: ((cell: Cell, game: Game) => boolean) | undefined;
  /** Aborted: `play` gives up the games under way. */
  abort: AbortSignal;
  onEvent: (event: ExperimentEvent) => void;
}

/** An experiment whose games are played in this process. */
export interface ExperimentRequest extends Omit<GameRequest, 'play'>, ExperimentWork {
  recorder: ExperimentRecorder;
  /** Plays games until the signal is aborted. */
  playUntil: (abort: AbortSignal) => GameRequest['play'];
  concurrency: number;
}

/**
 * Plays what is missing of an experiment in this process and stores each game when it ends. Returns the record as it is
 * stored at the end. Refuses an experiment that another process works on.
 */
export async function runExperiment(experiment: ExperimentRequest): Promise<ExperimentRecord> {
  const { budget, playUntil, concurrency } = experiment;
  return await conductExperiment(experiment, async ({ earlier, count, wasRunning }, { stop, abort }) => {
    const request: GameRequest = { ...experiment, abort, play: playUntil(abort) };
    budget.addEarlier(earlier);
    const code = createSharedCode({ ...experiment, experimentId: experiment.experiment.experiment_id });
    let stored = 0;
    await runPool({
      jobs: cells(experiment, { earlier, code }),
      concurrency,
      stop,
      perform: async (cell) => {
        const game = await performGame(cell, { request, code, stop });
        if (!game) return;
        // The budget ended it: it is played again when the experiment is resumed.
        if (game.status === 'scored' || budget.refusal === null) stored += 1;
        count(game);
      },
    });
    return { stored, budgetRefusal: budget.refusal, wasKilled: wasRunning };
  });
}

async function* cells(
  { experiment, recorder }: ExperimentRequest,
  { earlier, code }: { earlier: EarlierGames; code: SharedCode },
): AsyncGenerator<Cell> {
  const { experiment_id: experimentId, plan } = experiment;
  for await (const { codeKey, cells: group } of missingCells({
    plan,
    experimentId,
    scored: earlier.scored,
    canRestore: restorableCode(experimentId, recorder),
  })) {
    // A game that is played again replaces the stored one.
    for (const cell of group) earlier.scored.delete(gameId(experimentId, cell));
    code.open(codeKey, group.length, earlier.paidCode.has(codeKey));
    yield* group;
  }
}

/** Less than this remains of a difference between equal sums. */
const ROUNDING_USD = 1e-9;

/** Plays one game, unless the budget or a stop prevents it, and stores it. */
export async function performGame(
  cell: Cell,
  run: { request: GameRequest; code: SharedCode; stop: AbortSignal },
): Promise<Game | null> {
  const { request, code, stop } = run;
  const { budget } = request;
  const { experiment_id: experimentId, plan } = request.experiment;
  const reservation = await budget.reserve(pairKind(plan, cell), stop);
  let cost: number | null = null;
  const meter = { knownUsd: 0 };
  try {
    // While this game waited for the budget, another may have used it up, or the user may have stopped the experiment.
    if (!reservation || budget.refusal !== null || stop.aborted) return null;
    request.onEvent({ type: 'game_started', cell });
    const drop = async (): Promise<void> => {
      const usd = meter.knownUsd - code.drop(cell);
      if (usd > ROUNDING_USD) await request.recorder.addLostCost(experimentId, { id: newId(), usd });
    };
    const play = () => request.play(cell, code.redFor(cell), placeOfGame(experimentId, cell));
    const played = await metered(meter, play).catch((error: unknown) => {
      if (request.abort.aborted) return null;
      throw error;
    });
    if (!played || request.isForOthers?.(cell, played.game)) {
      await drop();
      request.onEvent({ type: 'game_dropped', cell });
      return null;
    }
    const { game, sheet } = played;
    const stored = await request.recorder.saveGame(game, sheet).catch(async (error: unknown) => {
      if (errorCode(error) === 'JOB_LOST') await drop();
      throw error;
    });
    // A failed game does not tell what the next one costs.
    if (game.status === 'scored') cost = knownUsd(gameCost(game));
    request.onEvent({ type: 'game_finished', cell, game: stored });
    return game;
  } finally {
    reservation?.release(cost);
    code.close(cell.codeKey);
  }
}
