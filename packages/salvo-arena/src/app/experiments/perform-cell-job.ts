import type { KnownOutages, TakenJob } from 'salvo/kit/queue';
import type { AskedModel } from 'salvo/kit/work';
import { restorableCode, wasChargedForCode } from '../../experiment/conduct-experiment.ts';
import { type Cell, cellAt, gameId } from '../../experiment/plan/expand-plan.ts';
import { type GameRequest, performGame } from '../../experiment/run-experiment.ts';
import { createSharedCode } from '../../experiment/shared-code.ts';
import type { Game } from '../../game/game-document.ts';
import type { GameStage } from '../../game/played-game.ts';
import { readCellJob } from './cell-job.ts';

/** What a worker has made ready for the games of an experiment. */
export interface ReadyExperiment {
  request: Omit<GameRequest, 'recorder' | 'play' | 'abort' | 'isForOthers'>;
  /** Plays games until the signal is aborted. */
  playUntil: (abort: AbortSignal) => GameRequest['play'];
  stop: AbortSignal;
  abort: AbortSignal;
  getGame: (experimentId: string, gameId: string) => Promise<{ game: Game } | null>;
  /** Writes for a job as long as it is this worker's. */
  recorderOf: (job: TakenJob) => GameRequest['recorder'];
  /** The models that a stage of a game asks. */
  modelsOf: (game: Pick<Cell, 'red' | 'blue'>, stage: GameStage) => readonly AskedModel[];
  /** Of requests of this worker. */
  outageOf: KnownOutages;
  /** Whether the coordinator has decided that no worker can reach the model. */
  isOut: (model: AskedModel) => boolean;
}

/**
 * Plays the games on one piece of code, one after the other. Games that are scored already are left as they are, unless
 * their code is lost. `nothing`: a game was not played, because of the budget or a stop. `elsewhere`: this worker cannot
 * reach a model that a game needs, and another one may.
 */
export async function performCellJob(job: TakenJob, ready: ReadyExperiment): Promise<'done' | 'nothing' | 'elsewhere'> {
  const { stop } = ready;
  const { experiment_id: experimentId, plan } = ready.request.experiment;
  const { cells: indices, replay } = readCellJob(job);
  const recorder = ready.recorderOf(job);
  const abort = AbortSignal.any([ready.abort, job.lost]);
  let isForOthers = false;
  const request: GameRequest = {
    ...ready.request,
    recorder,
    abort,
    play: ready.playUntil(abort),
    isForOthers(cell, { failed_stage: stage }) {
      const isOutHere = stage !== null && unreachable(ready, ready.modelsOf(cell, stage));
      isForOthers ||= isOutHere;
      return isOutHere;
    },
  };
  const group = indices.map((index) => cellAt(plan, index));
  const [first] = group;
  if (!first) return 'done';
  const stored = await Promise.all(group.map((cell) => ready.getGame(experimentId, gameId(experimentId, cell))));
  const isRestorable = await restorableCode(experimentId, recorder)(first);
  const isScored = (position: number): boolean => stored[position]?.game.status === 'scored';
  const missing = group.filter((_, position) => replay || !isRestorable || !isScored(position));
  const code = createSharedCode({ ...request, experimentId });
  code.open(
    first.codeKey,
    missing.length,
    stored.some((each) => each !== null && wasChargedForCode(each.game)),
  );
  let played = 0;
  for (const cell of missing) {
    // Nothing is paid for by a worker that was suspended since the last game.
    await job.confirm();
    if (job.lost.aborted) break;
    if (await performGame(cell, { request, code, stop })) played += 1;
  }
  if (isForOthers) return 'elsewhere';
  return played === missing.length ? 'done' : 'nothing';
}

/** Whether this worker must wait until the coordinator knows that nobody can reach a model that its games need. */
export function waitsForCoordinator(ready: ReadyExperiment): boolean {
  return unreachable(ready, askedModels(ready));
}

/** Whether another worker may reach a model that this one cannot. */
function unreachable({ outageOf, isOut }: ReadyExperiment, models: readonly AskedModel[]): boolean {
  return models.some((asked) => outageOf(asked.adapter, asked.model).proof !== null && !isOut(asked));
}

/** All models that games of the experiment ask. */
export function askedModels({ request, modelsOf }: Pick<ReadyExperiment, 'request' | 'modelsOf'>): AskedModel[] {
  const { red: reds, blue: blues } = request.experiment.plan;
  const [red = '', blue = ''] = [reds[0], blues[0]];
  return [
    ...reds.flatMap((name) => modelsOf({ red: name, blue }, 'red')),
    ...blues.flatMap((name) => modelsOf({ red, blue: name }, 'blue')),
    ...modelsOf({ red, blue }, 'judge'),
  ];
}
