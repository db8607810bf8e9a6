import type { Budget } from '../../models/budget.ts';
import { runPool } from '../../queue/run-pool.ts';
import { type Game, gameCost } from '../game/game-document.ts';
import type { GamePlace } from '../game/game-setup.ts';
import type { GameSheet } from '../game/game-sheet.ts';
import type { RedTeam } from '../red/red-team.ts';
import { createAccuracyWatch } from './accuracy-watch.ts';
import type { ExperimentRecord, ExperimentRecorder } from './experiment-record.ts';
import { type Cell, gameId, missingCells } from './plan/expand-plan.ts';
import type { ExperimentPlan } from './plan/experiment-plan.ts';
import { createSharedCode, type SharedCode } from './shared-code.ts';

export type ExperimentEvent =
  /** `earlier` games were scored before the experiment was resumed. */
  | { type: 'experiment_started'; experiment: ExperimentRecord; earlier: number; spentUsd: number }
  | { type: 'game_started'; cell: Cell }
  | { type: 'game_finished'; cell: Cell; game: Game }
  /** The game was given up, and counts as not played. */
  | { type: 'game_dropped'; cell: Cell };

export interface ExperimentRequest {
  experiment: ExperimentRecord;
  recorder: ExperimentRecorder;
  redOf: (name: string) => RedTeam;
  /** Whether a Red makes the same code from the same request again, at no cost. */
  isRepeatable: (red: string) => boolean;
  /** Plays one game. The Red may return code that was made before. Rejects only when the game is given up. */
  play: (cell: Cell, red: RedTeam, place: GamePlace) => Promise<{ game: Game; sheet: GameSheet | null }>;
  concurrency: number;
  /** Pays for all calls of the teams, too. */
  budget: Budget;
  /** Aborted: no further game is started; games under way are finished. */
  stop: AbortSignal;
  /** Aborted: `play` gives up the games under way. */
  abort: AbortSignal;
  now: () => Date;
  onEvent: (event: ExperimentEvent) => void;
}

/**
 * Plays what is missing of an experiment and stores each game when it ends. Returns the record as it is stored at the
 * end. Refuses an experiment that another process works on.
 */
export async function runExperiment(request: ExperimentRequest): Promise<ExperimentRecord> {
  const { experiment, recorder } = request;
  const { experiment_id: experimentId, plan } = experiment;
  const watch = createAccuracyWatch(plan.stop);
  const claimed: ExperimentRecord = { ...experiment, status: 'running', stop_reason: null, finished_at: null };
  // Before its games are read: until it is claimed, another process may add games.
  await using lease = await recorder.claim({ kind: 'experiment', id: experimentId });
  await recorder.saveExperiment(claimed);
  const earlier = await readEarlierGames(recorder, experiment, watch.add);
  const { budget } = request;
  budget.addEarlier(earlier);
  const { spentUsd } = earlier;
  request.onEvent({ type: 'experiment_started', experiment: claimed, earlier: earlier.scored.size, spentUsd });

  const code = createSharedCode({ ...request, experimentId });
  const tooWrong = new AbortController();
  let reason = watch.stopReason();
  if (reason !== null) tooWrong.abort();
  const asked = AbortSignal.any([request.stop, lease.stop]);
  const stop = AbortSignal.any([asked, tooWrong.signal, lease.lost]);
  const tally = { stored: 0 };
  await runPool({
    jobs: jobs(),
    concurrency: request.concurrency,
    stop,
    perform: async (cell) => {
      const game = await performGame(cell, { request, code, stop });
      if (!game) return;
      // The budget ended it: it is played again when the experiment is resumed.
      if (game.status === 'scored' || budget.refusal === null) tally.stored += 1;
      watch.add(game);
      reason ??= watch.stopReason();
      if (reason !== null) tooWrong.abort();
    },
  });
  lease.lost.throwIfAborted();
  const missing = experiment.games_planned - earlier.scored.size - tally.stored;
  const refusal = budget.refusal?.replace('another trial', 'another game') ?? null;
  const why = missing <= 0 ? null : (reason ?? (asked.aborted ? null : refusal));
  const ended: ExperimentRecord = {
    ...experiment,
    status: missing <= 0 ? 'finished' : why === null ? 'interrupted' : 'stopped',
    stop_reason: why,
    finished_at: request.now().toISOString(),
  };
  await recorder.saveExperiment(ended);
  return ended;

  async function* jobs(): AsyncGenerator<Cell> {
    const canRestore = async ({ red, codeKey }: Cell) =>
      request.isRepeatable(red) || (await recorder.getCode(experimentId, codeKey)) !== null;
    const groups = missingCells({ plan, experimentId, scored: earlier.scored, canRestore });
    for await (const { codeKey, cells } of groups) {
      // A game that is played again replaces the stored one.
      for (const cell of cells) earlier.scored.delete(gameId(experimentId, cell));
      code.open(codeKey, cells.length, earlier.paidCode.has(codeKey));
      yield* cells;
    }
  }
}

async function performGame(
  cell: Cell,
  run: { request: ExperimentRequest; code: SharedCode; stop: AbortSignal },
): Promise<Game | null> {
  const { request, code, stop } = run;
  const { budget } = request;
  const { experiment_id: experimentId, plan } = request.experiment;
  const reservation = await budget.reserve(pairKind(plan, cell));
  let cost: number | null = null;
  try {
    // While this game waited for the budget, another may have used it up, or the user may have stopped the experiment.
    if (!reservation || budget.refusal !== null || stop.aborted) return null;
    request.onEvent({ type: 'game_started', cell });
    const place = {
      gameId: gameId(experimentId, cell),
      experimentId,
      codeKey: cell.codeKey,
      repetition: cell.repetition,
    };
    const played = await request.play(cell, code.redFor(cell), place).catch((error: unknown) => {
      if (request.abort.aborted) return null;
      throw error;
    });
    if (!played) {
      request.onEvent({ type: 'game_dropped', cell });
      return null;
    }
    const { game, sheet } = played;
    const stored = await request.recorder.saveGame(game, sheet);
    // A failed game does not tell what the next one costs.
    if (game.status === 'scored') cost = gameCost(game).known;
    request.onEvent({ type: 'game_finished', cell, game: stored });
    return game;
  } finally {
    reservation?.release(cost);
    code.close(cell.codeKey);
  }
}

/** What is stored already of an experiment that is resumed. */
interface EarlierGames {
  /** Ids of games that were scored. Failed games are played again. */
  scored: Set<string>;
  /** Keys of code that a scored game was charged for. */
  paidCode: Set<string>;
  /** Known costs only. */
  spentUsd: number;
  /** What the most expensive scored game cost, by `pairKind`. */
  highest: Map<number, number>;
}

/** The games of each Red against each Blue are of one kind, with a price of its own. */
function pairKind(plan: ExperimentPlan, { red, blue }: { red: string; blue: string }): number {
  return plan.red.indexOf(red) * plan.blue.length + plan.blue.indexOf(blue);
}

async function readEarlierGames(
  recorder: Pick<ExperimentRecorder, 'games'>,
  { experiment_id, plan }: Pick<ExperimentRecord, 'experiment_id' | 'plan'>,
  onScored: (game: Game) => void,
): Promise<EarlierGames> {
  const earlier: EarlierGames = { scored: new Set(), paidCode: new Set(), spentUsd: 0, highest: new Map() };
  for await (const game of recorder.games(experiment_id)) {
    const { known } = gameCost(game);
    // Failed games were paid for as well.
    earlier.spentUsd += known;
    if (game.status !== 'scored') continue;
    earlier.scored.add(game.game_id);
    const kind = pairKind(plan, game);
    earlier.highest.set(kind, Math.max(earlier.highest.get(kind) ?? 0, known));
    if (game.red_cost_usd !== 0) earlier.paidCode.add(game.code_key);
    onScored(game);
  }
  return earlier;
}
