import { conduct, type Performed, type WorkEvent, type WorkSignals } from 'salvo/kit/queue';
import { knownUsd } from 'salvo/kit/stats';
import { gameCost } from '../game/game-cost.ts';
import type { Game } from '../game/game-document.ts';
import { asksModel } from '../teams/team-name.ts';
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
  | WorkEvent;

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
export interface OpenedExperiment {
  earlier: EarlierGames;
  /** The experiment is still running as it is stored: the process that worked on it before did not end it. */
  wasRunning: boolean;
  /** Watches the manifest of a game that has ended. */
  count: (game: Game) => void;
  /** Aborted, with the reason, when manifests are too often wrong. */
  tooWrong: AbortSignal;
}

export interface PlayedCells extends Performed {
  /** How many of the missing games have ended. */
  stored: number;
  /** Whether a process was killed with games under way. */
  wasKilled: boolean;
}

/** Conducts an experiment. `play` lets its missing games be played, here or by workers. */
export async function conductExperiment(
  work: ExperimentWork,
  play: (opened: OpenedExperiment, signals: WorkSignals) => Promise<PlayedCells>,
): Promise<ExperimentRecord> {
  const { experiment, recorder, stop, abort, onEvent } = work;
  return await conduct({
    ...{ work: { kind: 'experiment', id: experiment.experiment_id }, stop, abort, onEvent },
    claim: (claimed) => recorder.claim(claimed),
    open: () => openExperiment(work),
    perform: (opened, signals) => play(opened, { ...signals, stop: AbortSignal.any([signals.stop, opened.tooWrong]) }),
    async end({ earlier, tooWrong }, { stored, budgetRefusal, wasKilled }, { wasStopped }) {
      const missing = experiment.games_planned - earlier.scored.size - stored;
      const refusal = budgetRefusal?.replace('another trial', 'another game') ?? null;
      const why = missing <= 0 ? null : tooWrong.aborted ? String(tooWrong.reason) : wasStopped ? null : refusal;
      const ended: ExperimentRecord = {
        ...experiment,
        status: missing <= 0 ? 'finished' : why === null ? 'interrupted' : 'stopped',
        stop_reason: why,
        finished_at: work.now().toISOString(),
        ...(wasKilled && { was_killed: true }),
      };
      await recorder.saveExperiment(ended);
      return ended;
    },
  });
}

async function openExperiment({ experiment, recorder, onEvent }: ExperimentWork): Promise<OpenedExperiment> {
  const opened: ExperimentRecord = { ...experiment, status: 'running', stop_reason: null, finished_at: null };
  const wasRunning = (await recorder.getExperiment(experiment.experiment_id))?.status === 'running';
  await recorder.saveExperiment(opened);
  const watch = createAccuracyWatch(experiment.plan.stop);
  const tooWrong = new AbortController();
  const stopIfTooWrong = (): void => {
    const reason = watch.stopReason();
    if (reason !== null) tooWrong.abort(reason);
  };
  const earlier = await readEarlierGames(recorder, experiment, watch.add);
  onEvent({
    ...{ type: 'experiment_started', experiment: opened },
    ...{ earlier: earlier.scored.size, spentUsd: earlier.spentUsd },
  });
  stopIfTooWrong();
  const count = (game: Game): void => {
    watch.add(game);
    stopIfTooWrong();
  };
  return { earlier, wasRunning, count, tooWrong: tooWrong.signal };
}

/** Whether the code of a game need not be paid for again: a Red without a model makes the same code again, at no cost. */
export function restorableCode(experimentId: string, { getCode }: Pick<ExperimentRecorder, 'getCode'>) {
  return async ({ red, codeKey }: Cell): Promise<boolean> =>
    !asksModel(red) || (await getCode(experimentId, codeKey)) !== null;
}

/** The games of each Red against each Blue are of one kind, with a price of its own. */
export function pairKind(plan: ExperimentPlan, { red, blue }: { red: string; blue: string }): number {
  return plan.red.indexOf(red) * plan.blue.length + plan.blue.indexOf(blue);
}

/** A Red that failed was paid for as well, but has left no code. */
export function wasChargedForCode({ red_cost_usd, failed_stage }: Game): boolean {
  return red_cost_usd !== 0 && failed_stage !== 'red';
}

/** What is stored already of an experiment that is resumed. */
export type EarlierGames = Awaited<ReturnType<typeof readEarlierGames>>;

async function readEarlierGames(
  recorder: Pick<ExperimentRecorder, 'games' | 'lostCost'>,
  { experiment_id, plan }: Pick<ExperimentRecord, 'experiment_id' | 'plan'>,
  onScored: (game: Game) => void,
) {
  const earlier = {
    /** Ids of games that were scored. Failed games are played again. */
    scored: new Set<string>(),
    /** Keys of code that a stored game was charged for. */
    paidCode: new Set<string>(),
    /** Known costs only, those of games that were replaced or lost included. */
    spentUsd: await recorder.lostCost(experiment_id),
    /** How many games failed. They are played again when an experiment is resumed. */
    failed: 0,
    /** What the most expensive scored game cost, by `pairKind`. */
    highest: new Map<number, number>(),
  };
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
