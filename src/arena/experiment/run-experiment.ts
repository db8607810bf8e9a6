import { refuseIfAtWork } from '../../queue/owner.ts';
import { runPool } from '../../queue/run-pool.ts';
import type { Game } from '../game/game-document.ts';
import type { GamePlace } from '../game/game-setup.ts';
import type { RedTeam } from '../red/red-team.ts';
import { readEarlierGames } from './earlier-games.ts';
import type { ExperimentRecord } from './experiment-record.ts';
import type { ExperimentRecorder } from './experiment-recorder.ts';
import { type GameBudget, openGameBudget } from './game-budget.ts';
import { type Cell, gameId, missingCells } from './plan/expand-plan.ts';
import { createAccuracyWatch } from './results/accuracy-watch.ts';
import { gameCost } from './results/game-cost.ts';
import { createSharedCode, type SharedCode } from './shared-code.ts';

export type ExperimentEvent =
  /** `earlier` games were scored before the experiment was resumed. */
  | { type: 'experiment_started'; experiment: ExperimentRecord; earlier: number; spentUsd: number }
  | { type: 'game_started'; cell: Cell }
  | { type: 'game_finished'; cell: Cell; game: Game }
  /** It was given up, and counts as never played. */
  | { type: 'game_dropped'; cell: Cell };

export interface ExperimentRequest {
  experiment: ExperimentRecord;
  recorder: ExperimentRecorder;
  redOf: (name: string) => RedTeam;
  /** Makes the same code from the same request again, for nothing. */
  isRepeatable: (red: string) => boolean;
  /** Plays one game with this Red, which may hand out code that is there already. Rejects only when it is given up. */
  play: (cell: Cell, red: RedTeam, place: GamePlace) => Promise<Game>;
  concurrency: number;
  budgetUsd: number | null;
  /** When aborted, no further game is started; what is under way is finished. */
  stop: AbortSignal;
  /** When aborted, `play` gives up what is under way. */
  abort: AbortSignal;
  now: () => Date;
  onEvent: (event: ExperimentEvent) => void;
}

/**
 * Plays what is missing of an experiment and stores each game as it ends. Gives the record as it is stored then. Refuses an
 * experiment that another process is at work on.
 */
export async function runExperiment(request: ExperimentRequest): Promise<ExperimentRecord> {
  const { experiment, recorder } = request;
  const { experiment_id: experimentId, plan } = experiment;
  const watch = createAccuracyWatch(plan.stop);
  const claimed: ExperimentRecord = { ...experiment, status: 'running', stop_reason: null, finished_at: null };
  // Before its games are read: until then another process may be adding some.
  await recorder.claimExperiment(claimed, ({ experiment_id, status, owner }) =>
    refuseIfAtWork({ kind: 'experiment', id: experiment_id, status, owner }),
  );
  const earlier = await readEarlierGames(recorder, experimentId, watch.add);
  const budget = openGameBudget(plan, request.budgetUsd, earlier);
  const { spentUsd } = earlier;
  request.onEvent({ type: 'experiment_started', experiment: claimed, earlier: earlier.scored.size, spentUsd });

  const code = createSharedCode({ ...request, experimentId });
  const hopeless = new AbortController();
  let reason = watch.verdict();
  if (reason !== null) hopeless.abort();
  const stop = AbortSignal.any([request.stop, hopeless.signal]);
  const tally = { stored: 0, unknownCost: false };
  await runPool({
    jobs: jobs(),
    concurrency: request.concurrency,
    stop,
    perform: async (cell) => {
      const game = await performGame(cell, { request, budget, code, stop });
      if (!game) return;
      tally.stored += 1;
      tally.unknownCost ||= game.status === 'scored' && gameCost(game).usd === null;
      watch.add(game);
      reason ??= watch.verdict();
      if (reason !== null) hopeless.abort();
    },
  });
  const missing = experiment.games_planned - earlier.scored.size - tally.stored;
  const refusal = budget.isExhausted ? budgetWords(request.budgetUsd, tally) : null;
  const why = missing <= 0 ? null : (reason ?? (request.stop.aborted ? null : refusal));
  const ended: ExperimentRecord = {
    ...experiment,
    status: missing <= 0 ? 'finished' : why === null ? 'interrupted' : 'stopped',
    stop_reason: why,
    finished_at: request.now().toISOString(),
    owner: null,
  };
  await recorder.saveExperiment(ended);
  return ended;

  async function* jobs(): AsyncGenerator<Cell> {
    const canComeBack = async ({ red, codeKey }: Cell) =>
      request.isRepeatable(red) || (await recorder.getCode(experimentId, codeKey)) !== null;
    const groups = missingCells({ plan, experimentId, scored: earlier.scored, canComeBack });
    for await (const { codeKey, cells } of groups) {
      // A game that is played anew replaces the one there was.
      for (const cell of cells) earlier.scored.delete(gameId(experimentId, cell));
      code.open(codeKey, cells.length, earlier.paidCode.has(codeKey));
      yield* cells;
    }
  }
}

async function performGame(
  cell: Cell,
  run: { request: ExperimentRequest; budget: GameBudget; code: SharedCode; stop: AbortSignal },
): Promise<Game | null> {
  const { request, budget, code, stop } = run;
  const { experiment_id: experimentId } = request.experiment;
  const reservation = await budget.reserve(cell);
  try {
    // While this one waited for the budget, the user may have had enough.
    if (!reservation || stop.aborted) return null;
    request.onEvent({ type: 'game_started', cell });
    const place = {
      gameId: gameId(experimentId, cell),
      experimentId,
      codeKey: cell.codeKey,
      repetition: cell.repetition,
    };
    const game = await request.play(cell, code.redFor(cell), place).catch((error: unknown) => {
      if (request.abort.aborted) return null;
      throw error;
    });
    if (!game) {
      request.onEvent({ type: 'game_dropped', cell });
      return null;
    }
    await request.recorder.saveGame(game);
    const { usd, known } = gameCost(game);
    // What a failed game cost is often unknown: it says nothing of what the next one costs, and stops none.
    if (game.status === 'scored') reservation.spend(usd);
    else if (known > 0) reservation.spend(known);
    request.onEvent({ type: 'game_finished', cell, game });
    return game;
  } finally {
    reservation?.release();
    code.close(cell.codeKey);
  }
}

function budgetWords(limitUsd: number | null, { unknownCost }: { unknownCost: boolean }): string {
  return unknownCost
    ? 'what a game costs is unknown, so the budget cannot be kept: add the model to `prices` in salvo.yaml'
    : `another game could exceed the budget of $${limitUsd}`;
}
