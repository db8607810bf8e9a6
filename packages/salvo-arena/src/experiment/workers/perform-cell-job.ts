import type { Notice, TakenJob } from 'salvo/kit/queue';
import type { Game } from '../../game/game-document.ts';
import type { GameStage } from '../../game/played-game.ts';
import { restorableCode, wasChargedForCode } from '../conduct-experiment.ts';
import { type Cell, cellAt, gameId } from '../plan/expand-plan.ts';
import { type GameRequest, performGame } from '../run-experiment.ts';
import { createSharedCode } from '../shared-code.ts';
import { readCellJob } from './cell-job.ts';

type AskedModel = { adapter: string; model: string };

/** An experiment as one of its workers has it open. */
export interface ExperimentDesk {
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
  /** `proof`: no request of this worker to the model can succeed. */
  outageOf: (adapter: string, model: string) => { readonly proof: { message: string; code: string } | null };
  /** Whether the lead has decided that no worker can reach the model. */
  isOut: (model: AskedModel) => boolean;
  notify: (notice: Notice) => Promise<void>;
  /** Its id. */
  worker: string;
}

/**
 * Plays the games on one piece of code, one after the other. Games that are scored already are left as they are, unless
 * their code is lost. `nothing`: a game was not played, because of the budget or a stop. `elsewhere`: this worker cannot
 * reach a model that a game needs, and another one may.
 */
export async function performCellJob(job: TakenJob, desk: ExperimentDesk): Promise<'done' | 'nothing' | 'elsewhere'> {
  const { stop } = desk;
  const { experiment, isRepeatable } = desk.request;
  const { experiment_id: experimentId, plan } = experiment;
  const { cells: indices, replay } = readCellJob(job);
  const recorder = desk.recorderOf(job);
  const abort = AbortSignal.any([desk.abort, job.lost]);
  let isForOthers = false;
  const request: GameRequest = {
    ...desk.request,
    recorder,
    abort,
    play: desk.playUntil(abort),
    isForOthers(cell, { failed_stage: stage }) {
      const isOutHere = stage !== null && unreachable(desk, desk.modelsOf(cell, stage));
      isForOthers ||= isOutHere;
      return isOutHere;
    },
  };
  const group = indices.map((index) => cellAt(plan, index));
  const [first] = group;
  if (!first) return 'done';
  const stored = await Promise.all(group.map((cell) => desk.getGame(experimentId, gameId(experimentId, cell))));
  const isRestorable = await restorableCode({ experimentId, recorder, isRepeatable })(first);
  const isScored = (position: number): boolean => stored[position]?.game.status === 'scored';
  const missing = group.filter((_, position) => replay || !isRestorable || !isScored(position));
  const code = createSharedCode({ ...request, experimentId });
  code.open(
    first.codeKey,
    missing.length,
    stored.some((each) => each !== null && wasChargedForCode(each.game)),
  );
  let played = 0;
  try {
    for (const cell of missing) {
      // Nothing is paid for by a worker that was suspended since the last game.
      await job.confirm();
      if (job.lost.aborted) break;
      if (await performGame(cell, { request, code, stop })) played += 1;
    }
  } finally {
    await tellLead(desk);
  }
  if (isForOthers) return 'elsewhere';
  return played === missing.length ? 'done' : 'nothing';
}

/** Whether this worker must wait until the lead knows that nobody can reach a model that its games need. */
export function waitsForLead(desk: ExperimentDesk): boolean {
  return unreachable(desk, askedModels(desk));
}

/** Whether another worker may reach a model that this one cannot. */
function unreachable({ outageOf, isOut }: ExperimentDesk, models: readonly AskedModel[]): boolean {
  return models.some((asked) => outageOf(asked.adapter, asked.model).proof !== null && !isOut(asked));
}

function askedModels({ request, modelsOf }: ExperimentDesk): AskedModel[] {
  const { red: reds, blue: blues } = request.experiment.plan;
  const [red = '', blue = ''] = [reds[0], blues[0]];
  return [
    ...reds.flatMap((name) => modelsOf({ red: name, blue }, 'red')),
    ...blues.flatMap((name) => modelsOf({ red, blue: name }, 'blue')),
    ...modelsOf({ red, blue }, 'judge'),
  ];
}

/** What this worker knows and the lead does not: which models refuse all its requests, and that the budget is used up. */
async function tellLead(desk: ExperimentDesk): Promise<void> {
  const { notify, worker, outageOf } = desk;
  const { refusal } = desk.request.budget;
  if (refusal !== null) await notify({ type: 'budget', message: refusal });
  for (const { adapter, model } of askedModels(desk)) {
    const { proof } = outageOf(adapter, model);
    if (proof) await notify({ type: 'outage', worker, adapter, model, message: proof.message, code: proof.code });
  }
}
