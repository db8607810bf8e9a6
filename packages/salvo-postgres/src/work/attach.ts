import { setTimeout } from 'node:timers/promises';
import { openProjectStore, type RunFilesEvent, type Stoppable, type Workplace } from 'salvo/kit/app';
import { LeftToWorkers, type Work, type WorkOrder, type WorkQueue } from 'salvo/kit/queue';
import { type AgainstOutcome, plannedCases, plannedTrials, type RunRecord } from 'salvo/kit/run';
import { loadSettings, type Project } from 'salvo/kit/scenario';
import { knownUsd } from 'salvo/kit/stats';
import type { Store } from 'salvo/kit/store';
import { openResources, SalvoError, salvoCommand, salvoVersion } from 'salvo/kit/text';
import { experimentView } from '../../../salvo-arena/src/app/experiments/stored-experiments.ts';
import type { ExperimentEvent } from '../../../salvo-arena/src/experiment/conduct-experiment.ts';
import { cellAt, indexOfGame } from '../../../salvo-arena/src/experiment/plan/expand-plan.ts';
import { gameCost } from '../../../salvo-arena/src/game/game-cost.ts';
import { experimentsOf } from '../../../salvo-arena/src/store/experiment-tables.ts';
import { baselineOfOrder, isLedElsewhere, leadExperimentOrder, leadRunOrder, workforceOf } from './lead-order.ts';

export interface AttachOptions extends Workplace, Pick<Stoppable, 'stop'> {
  /** A run or an experiment: its id, the beginning of it, or `latest`. */
  target: string;
  /** Called if the work can be left to workers. Aborted: it is. */
  leave?: (() => AbortSignal) | undefined;
  onRunEvent?: ((event: RunFilesEvent) => void) | undefined;
  onExperimentEvent?: ((event: ExperimentEvent) => void) | undefined;
}

/** A run or an experiment that ended while it was followed. Dispose of it when done. */
export type Attached = AsyncDisposable &
  (
    | {
        kind: 'run';
        run: RunRecord;
        against: AgainstOutcome | null;
        store: Store;
        project: Project;
        /** Such as teardowns that failed, if this process led the run in the end. */
        warnings: string[];
      }
    | { kind: 'experiment'; opened: ReturnType<typeof experimentView> }
  );

/**
 * Follows a run or an experiment that workers work on until it ends, and leads it if no process does. A stop only
 * leaves it: rejects with a `LeftToWorkers`.
 */
export async function attach(options: AttachOptions): Promise<Attached> {
  const { cwd = process.cwd(), env = process.env, patience } = options;
  await using resources = openResources();
  const project = await loadSettings(cwd);
  const store = resources.adopt(await openProjectStore(project, { env, mustExist: true, patience }), (each) =>
    each.close(),
  );
  workforceOf(store);
  const work = await findWork(store, options.target);
  if (work.kind === 'run') {
    // Read now: it goes with the order when the run ends.
    const order = await workforceOf(store).queue.orderOf(work);
    const baseline = order && (await baselineOfOrder(store, order));
    const warnings = await followRun(await storedRun(store, work.id), store, options);
    const run = await storedRun(store, work.id);
    const against = (await baseline?.outcome(store, run)) ?? null;
    return resources.keepFor({ kind: 'run' as const, run, against, store, project, warnings });
  }
  await followExperiment(work.id, store, options);
  const ended = await storedExperiment(store, work.id);
  return resources.keepFor({ kind: 'experiment' as const, opened: experimentView(ended, { store, project }) });
}

/** What is under way comes before what has ended. */
async function findWork(store: Store, target: string): Promise<Work> {
  const { queue } = workforceOf(store);
  const open = (await queue.status()).orders.map(({ work }) => work);
  const named = target === 'latest' ? open : open.filter(({ id }) => id.startsWith(target));
  const newest = named.at(-1);
  if (newest && (named.length === 1 || target === 'latest')) return newest;
  if (named.length > 1) {
    const list = named.map(({ id }) => `\n  ${id}`).join('');
    throw new SalvoError(
      'RUN_AMBIGUOUS',
      `More than one begins with ${JSON.stringify(target)}. Give more of its id:${list}`,
    );
  }
  const runs = target === 'latest' ? [] : await store.findRunIds(target, 2);
  const experiments = target === 'latest' ? [] : await experimentsOf(store).findExperimentIds(target, 2);
  const [run] = runs;
  const [experiment] = experiments;
  if (run !== undefined && runs.length + experiments.length === 1) return { kind: 'run', id: run };
  if (experiment !== undefined && runs.length + experiments.length === 1) return { kind: 'experiment', id: experiment };
  const what =
    target === 'latest' ? 'Nothing is under way.' : `There is no run and no experiment ${JSON.stringify(target)}.`;
  throw new SalvoError('RUN_NOT_AT_WORK', `${what} \`salvo report\` shows what has ended.`);
}

const LOOK_MS = 300;

/** Looks again and again until the work has ended. `lead` is called while no process leads it. */
async function untilEnded(
  work: Work,
  store: Store,
  how: Pick<Stoppable, 'stop'> & {
    hasEnded: () => Promise<boolean>;
    read: () => Promise<void>;
    lead: (order: WorkOrder) => Promise<void>;
  },
): Promise<void> {
  const { queue } = workforceOf(store);
  for (;;) {
    const hasEnded = await how.hasEnded();
    await how.read();
    if (hasEnded) return;
    if (how.stop?.aborted) throw new LeftToWorkers(work);
    if ((await store.holderOf(work)) === null) {
      const order = await queue.orderOf(work);
      // It may have ended between the two looks.
      if (order === null && !(await how.hasEnded())) throw notUnderWay(work);
      if (order && (await mayLead(order, queue))) {
        const isLed = await how.lead(order).then(
          () => true,
          (error: unknown) => {
            if (isLedElsewhere(error)) return false;
            throw error;
          },
        );
        if (isLed) return;
      }
    }
    await setTimeout(LOOK_MS, undefined, { signal: how.stop }).catch(() => {});
  }
}

/** What another version has begun is led by workers of that version. Throws if there is none. */
async function mayLead({ work, salvo_version: version }: WorkOrder, queue: WorkQueue): Promise<boolean> {
  if (version === salvoVersion()) return true;
  const workers = await queue.workers();
  if (workers.some(({ salvo_version }) => salvo_version === version)) return false;
  throw new SalvoError(
    'VERSION_DIFFERS',
    `${work.kind === 'run' ? 'Run' : 'Experiment'} ${work.id} was started with Salvo ${version}, this is ${salvoVersion()}, and no worker of that version is there. Install ${version} where it should be done: npm install salvo@${version}`,
  );
}

function leaveSignal({ stop, leave }: AttachOptions): AbortSignal {
  const signals = [stop, leave?.()];
  return AbortSignal.any(signals.flatMap((signal) => signal ?? []));
}

function notUnderWay({ kind, id }: Work): SalvoError {
  return new SalvoError(
    'RUN_NOT_AT_WORK',
    `No process works on ${kind} ${id}, and no worker has it. To go on: ${salvoCommand()} ${kind} --resume ${id}`,
  );
}

async function followRun(run: RunRecord, store: Store, options: AttachOptions): Promise<string[]> {
  const { onRunEvent: onEvent = () => {}, stop } = options;
  const work: Work = { kind: 'run', id: run.run_id };
  const workforce = workforceOf(store);
  onEvent({ type: 'run_prepared', run, warnings: [], uncalibrated: [] });
  const planned = run.scenarios.map(({ scenario }, index) =>
    plannedTrials(plannedCases(scenario, { options: run.options, chosen: run.options.cases?.[index] ?? null })),
  );
  let cursor = await workforce.cursor();
  const warnings: string[] = [];
  const seen = new Set<string>();
  for await (const trial of store.trials(run.run_id)) if (trial.result) seen.add(placeOf(trial));
  onEvent({
    type: 'run_started',
    planned: planned.reduce((sum, each) => sum + each, 0),
    earlierTrials: seen.size,
    repeated: 0,
    judgedAgain: 0,
  });
  await untilEnded(work, store, {
    stop,
    hasEnded: async () => (await storedRun(store, run.run_id)).status !== 'running',
    async read() {
      for (;;) {
        const page = await workforce.changedTrials(run.run_id, cursor);
        cursor = page.cursor;
        for (const trial of page.trials) {
          if (!trial.result || seen.has(placeOf(trial))) continue;
          seen.add(placeOf(trial));
          onEvent({ type: 'trial_finished', scenario: trial.scenario_index, result: trial.result });
        }
        if (page.trials.length === 0) return;
      }
    },
    lead: async (order) => {
      const leading = { store, order, isTakenOver: true, leave: leaveSignal(options) };
      const outcome = await leadRunOrder({
        ...leading,
        run: await storedRun(store, run.run_id),
        resumed: true,
        // The display is open already.
        onEvent: (event) => (event.type === 'run_started' ? undefined : onEvent(event)),
      });
      warnings.push(...outcome.warnings);
    },
  });
  return warnings;
}

function placeOf(trial: { scenario_index: number; case_index: number; trial_number: number }): string {
  return `${trial.scenario_index}/${trial.case_index}/${trial.trial_number}`;
}

async function followExperiment(id: string, store: Store, options: AttachOptions): Promise<void> {
  const { onExperimentEvent: onEvent = () => {}, stop } = options;
  const work: Work = { kind: 'experiment', id };
  const workforce = workforceOf(store);
  const experiment = await storedExperiment(store, id);
  let cursor = await workforce.cursor();
  const seen = new Set<string>();
  const { lostCost, games, changedGames } = experimentsOf(store);
  let spentUsd = await lostCost(id);
  for await (const game of games(id)) {
    seen.add(game.game_id);
    spentUsd += knownUsd(gameCost(game));
  }
  onEvent({ type: 'experiment_started', experiment, earlier: seen.size, spentUsd });
  await untilEnded(work, store, {
    stop,
    hasEnded: async () => (await storedExperiment(store, id)).status !== 'running',
    async read() {
      for (;;) {
        const page = await changedGames(id, cursor);
        cursor = page.cursor;
        for (const game of page.games) {
          if (seen.has(game.game_id)) continue;
          seen.add(game.game_id);
          onEvent({ type: 'game_finished', cell: cellAt(experiment.plan, indexOfGame(game.game_id)), game });
        }
        if (page.games.length === 0) return;
      }
    },
    lead: async (order) => {
      const leading = { store, order, isTakenOver: true, leave: leaveSignal(options) };
      await leadExperimentOrder({
        ...leading,
        experiment: await storedExperiment(store, id),
        onEvent: (event) => (event.type === 'experiment_started' ? undefined : onEvent(event)),
      });
    },
  });
}

async function storedRun(store: Store, runId: string): Promise<RunRecord> {
  const run = await store.getRun(runId);
  if (!run) throw new SalvoError('RUN_UNKNOWN', `There is no run ${runId}.`);
  return run;
}

async function storedExperiment(store: Store, id: string) {
  const experiment = await experimentsOf(store).getExperiment(id);
  if (!experiment) throw new SalvoError('EXPERIMENT_UNKNOWN', `There is no experiment ${id}.`);
  return experiment;
}
