import type { Notice, TakenJob } from '../../../queue/work-queue.ts';
import type { Game } from '../../game/game-document.ts';
import { restorableCode } from '../conduct-experiment.ts';
import { cellAt, gameId } from '../plan/expand-plan.ts';
import { type GameRequest, performGame } from '../run-experiment.ts';
import { createSharedCode } from '../shared-code.ts';
import { readCellJob } from './cell-job.ts';

/** An experiment as one of its workers has it open. */
export interface ExperimentDesk {
  request: Omit<GameRequest, 'recorder' | 'play' | 'abort'>;
  /** Plays games until the signal is aborted. */
  playUntil: (abort: AbortSignal) => GameRequest['play'];
  stop: AbortSignal;
  abort: AbortSignal;
  getGame: (experimentId: string, gameId: string) => Promise<{ game: Game } | null>;
  /** Writes for a job as long as it is this worker's. */
  recorderOf: (job: TakenJob) => GameRequest['recorder'];
  notify: (notice: Notice) => Promise<void>;
}

/**
 * Plays the games on one piece of code, one after the other. Games that are scored already are left as they are, unless
 * their code is lost. Returns false if a game was not played, because of the budget or a stop.
 */
export async function performCellJob(job: TakenJob, desk: ExperimentDesk): Promise<boolean> {
  const { stop } = desk;
  const { experiment, budget, isRepeatable } = desk.request;
  const { experiment_id: experimentId, plan } = experiment;
  const { cells: indices, replay } = readCellJob(job);
  const recorder = desk.recorderOf(job);
  const abort = AbortSignal.any([desk.abort, job.lost]);
  const request: GameRequest = { ...desk.request, recorder, abort, play: desk.playUntil(abort) };
  const group = indices.map((index) => cellAt(plan, index));
  const [first] = group;
  if (!first) return true;
  const stored = await Promise.all(group.map((cell) => desk.getGame(experimentId, gameId(experimentId, cell))));
  const isRestorable = await restorableCode({ experimentId, recorder, isRepeatable })(first);
  const isScored = (position: number): boolean => stored[position]?.game.status === 'scored';
  const missing = group.filter((_, position) => replay || !isRestorable || !isScored(position));
  const wasPaid = stored.some((each) => each?.game.status === 'scored' && each.game.red_cost_usd !== 0);
  const code = createSharedCode({ ...request, experimentId });
  code.open(first.codeKey, missing.length, wasPaid && isRestorable);
  let played = 0;
  for (const cell of missing) {
    // Nothing is paid for by a worker that was suspended since the last game.
    await job.confirm();
    if (job.lost.aborted) break;
    if (await performGame(cell, { request, code, stop })) played += 1;
  }
  if (budget.refusal !== null) await desk.notify({ type: 'budget', message: budget.refusal });
  return played === missing.length;
}
