import type { Coordinator, Lease, WorkersEvent } from 'salvo/kit/queue';
import { knownUsd } from 'salvo/kit/stats';
import { gameCost } from '../game/game-cost.ts';
import type { Game } from '../game/game-document.ts';
import { createAccuracyWatch } from './accuracy-watch.ts';
import type { ExperimentRecord, ExperimentRecorder } from './experiment-record.ts';
import type { Cell } from './plan/expand-plan.ts';
import type { ExperimentPlan } from './plan/experiment-plan.ts';

export type ExperimentEvent =
  /** `earlier` games were scored before the experiment was resumed. */
  | { type: 'experiment_started'; experiment: ExperimentRecord; earlier: number; spentUsd: number }
  | { type: 'game_started'; cell: Cell }
  | { type: 'game_finished'; cell: Cell; game: Game }
  /** The game was given up, and counts as not played. */
  | { type: 'game_dropped'; cell: Cell }
  /** A job of workers is a group of games on one piece of code. */
  | WorkersEvent;

/** An experiment, whoever plays its games. */
export interface ExperimentWork {
  experiment: ExperimentRecord;
  recorder: ExperimentRecorder;
  /** Aborted: no further game is started; games under way are finished. */
  stop: AbortSignal;
  /** Aborted: games under way are given up. */
  abort: AbortSignal;
  now: () => Date;
  onEvent: (event: ExperimentEvent) => void;
}

/** An experiment that this process has the right to work on. */
export interface ClaimedExperiment {
  lease: Lease;
  earlier: EarlierGames;
  /** The experiment is still running as it is stored: the process that worked on it before did not end it. */
  wasRunning: boolean;
  /** Aborted by the caller, through the store, by wrong manifests, or because another process has the lease. */
  stop: AbortSignal;
  abort: AbortSignal;
  /** Watches the manifest of a game that has ended. */
  count: (game: Game) => void;
}

export interface PlayedCells {
  /** How many of the missing games have ended. */
  stored: number;
  budgetRefusal: string | null;
  /** Whether a process was killed with games under way. */
  wasKilled: boolean;
  /** The order of its workers. It is led until the outcome is stored. */
  led?: Coordinator | undefined;
}

/** Claims an experiment, lets its missing games be played, here or by others, and stores and returns how it ended. */
export async function conductExperiment(
  work: ExperimentWork,
  play: (claimed: ClaimedExperiment) => Promise<PlayedCells>,
): Promise<ExperimentRecord> {
  const { experiment, recorder } = work;
  const { experiment_id: experimentId, plan } = experiment;
  const watch = createAccuracyWatch(plan.stop);
  const claimed: ExperimentRecord = { ...experiment, status: 'running', stop_reason: null, finished_at: null };
  // Before its games are read: until it is claimed, another process may add games.
  await using lease = await recorder.claim({ kind: 'experiment', id: experimentId });
  const wasRunning = (await recorder.getExperiment(experimentId))?.status === 'running';
  await recorder.saveExperiment(claimed);
  const earlier = await readEarlierGames(recorder, experiment, watch.add);
  const { spentUsd } = earlier;
  const scoredBefore = earlier.scored.size;
  work.onEvent({ type: 'experiment_started', experiment: claimed, earlier: scoredBefore, spentUsd });
  const tooWrong = new AbortController();
  let reason = watch.stopReason();
  if (reason !== null) tooWrong.abort();
  const asked = AbortSignal.any([work.stop, lease.stop]);
  const played = await play({
    lease,
    earlier,
    wasRunning,
    stop: AbortSignal.any([asked, tooWrong.signal, lease.lost]),
    abort: AbortSignal.any([work.abort, lease.abort, lease.lost]),
    count(game) {
      watch.add(game);
      reason ??= watch.stopReason();
      if (reason !== null) tooWrong.abort();
    },
  });
  await using led = played.led;
  const { stored, budgetRefusal } = played;
  lease.lost.throwIfAborted();
  const missing = experiment.games_planned - earlier.scored.size - stored;
  const refusal = budgetRefusal?.replace('another trial', 'another game') ?? null;
  const why = missing <= 0 ? null : (reason ?? (asked.aborted ? null : refusal));
  const ended: ExperimentRecord = {
    ...experiment,
    status: missing <= 0 ? 'finished' : why === null ? 'interrupted' : 'stopped',
    stop_reason: why,
    finished_at: work.now().toISOString(),
    ...(played.wasKilled && { was_killed: true }),
  };
  await recorder.saveExperiment(ended);
  await led?.close();
  return ended;
}

/** Whether the code of a game need not be paid for again. */
export function restorableCode(options: {
  experimentId: string;
  recorder: Pick<ExperimentRecorder, 'getCode'>;
  isRepeatable: (red: string) => boolean;
}): (cell: Cell) => Promise<boolean> {
  const { experimentId, recorder, isRepeatable } = options;
  return async ({ red, codeKey }) => isRepeatable(red) || (await recorder.getCode(experimentId, codeKey)) !== null;
}

/** What is stored already of an experiment that is resumed. */
export interface EarlierGames {
  /** Ids of games that were scored. Failed games are played again. */
  scored: Set<string>;
  /** Keys of code that a stored game was charged for. */
  paidCode: Set<string>;
  /** Known costs only, those of games that were replaced or lost included. */
  spentUsd: number;
  /** How many games failed. They are played again when an experiment is resumed. */
  failed: number;
  /** What the most expensive scored game cost, by `pairKind`. */
  highest: Map<number, number>;
}

/** The games of each Red against each Blue are of one kind, with a price of its own. */
export function pairKind(plan: ExperimentPlan, { red, blue }: { red: string; blue: string }): number {
  return plan.red.indexOf(red) * plan.blue.length + plan.blue.indexOf(blue);
}

/** A Red that failed was paid for as well, but has left no code. */
export function wasChargedForCode({ red_cost_usd, failed_stage }: Game): boolean {
  return red_cost_usd !== 0 && failed_stage !== 'red';
}

async function readEarlierGames(
  recorder: Pick<ExperimentRecorder, 'games' | 'lostCost'>,
  { experiment_id, plan }: Pick<ExperimentRecord, 'experiment_id' | 'plan'>,
  onScored: (game: Game) => void,
): Promise<EarlierGames> {
  const spentUsd = await recorder.lostCost(experiment_id);
  const earlier: EarlierGames = { scored: new Set(), paidCode: new Set(), failed: 0, spentUsd, highest: new Map() };
  for await (const game of recorder.games(experiment_id)) {
    const known = knownUsd(gameCost(game));
    // Failed games were paid for as well.
    earlier.spentUsd += known;
    if (wasChargedForCode(game)) earlier.paidCode.add(game.code_key);
    if (game.status !== 'scored') {
      earlier.failed += 1;
      continue;
    }
    earlier.scored.add(game.game_id);
    const kind = pairKind(plan, game);
    earlier.highest.set(kind, Math.max(earlier.highest.get(kind) ?? 0, known));
    onScored(game);
  }
  return earlier;
}
