import { isDeepStrictEqual } from 'node:util';
import type { AgainstEnd, Stoppable } from 'salvo/kit/app';
import { type CalibrationOf, calibrationLookup } from 'salvo/kit/judge';
import type { EarlierSpending } from 'salvo/kit/models';
import {
  claimAndFirst,
  endJobsUnderWay,
  joinedSignals,
  type LeadSignals,
  type LedOrder,
  type WorkOrder,
} from 'salvo/kit/queue';
import type { RunEvent, RunOutcome, RunPlan, RunRecord, ScenarioSummary } from 'salvo/kit/run';
import type { Store, Workforce } from 'salvo/kit/store';
import { type ErrorCode, SalvoError } from 'salvo/kit/text';
import type { ExperimentEvent } from '../../../salvo-arena/src/experiment/conduct-experiment.ts';
import type { ExperimentRecord } from '../../../salvo-arena/src/experiment/experiment-record.ts';
import { leadExperiment } from '../../../salvo-arena/src/experiment/workers/lead-experiment.ts';
import { experimentsOf } from '../../../salvo-arena/src/store/experiment-tables.ts';
import { asksModel } from '../../../salvo-arena/src/teams/team-name.ts';
import { closeBudgetAccount, openBudgetAccount } from '../limits/shared-limits.ts';
import type { LocalWorkers } from './local-workers.ts';
import { experimentSettingsOf, runSettingsOf } from './order-settings.ts';
import { leadRun } from './run/lead-run.ts';
import { fittingWorkers, whyNoWorker } from './why-no-worker.ts';

export interface LeadOptions<Event> extends Stoppable, Pick<LeadSignals, 'leave'> {
  store: Store;
  order: WorkOrder;
  /** Goes on with the jobs of a lead that is gone. Otherwise whatever was left of the order is thrown away. */
  isTakenOver: boolean;
  /** Workers that were started for it alone. If all of them have left and no other worker can go on, it is stopped. */
  local?: Pick<LocalWorkers, 'started' | 'alive'> | undefined;
  onEvent?: ((event: Event) => void) | undefined;
}

/** Leads a run by its record and its order alone: no file of the project is needed, and no code of it is executed. */
export async function leadRunOrder(
  options: LeadOptions<RunEvent> & { run: RunRecord; resumed: boolean },
): Promise<RunOutcome> {
  const { store, order, run, isTakenOver } = options;
  const workforce = workforceOf(store);
  const settings = runSettingsOf(order);
  return await leadRun({
    ...common(options, workforce, settings.budget_usd),
    run,
    resumed: options.resumed,
    ...claimOf(options, workforce, (reason) => options.onEvent?.({ type: 'no_worker', reason })),
    scenarios: run.scenarios
      .slice(0, settings.labels.length)
      .map(({ scenario, file, adapter, model }) => ({ scenario, relativeFile: file, adapterName: adapter, model })),
    judge: settings.judge,
    calibrationOf: calibrations(store, settings.judges),
    judgeSummaries: await judgeByBaseline(options),
    earlyStop: settings.early_stop,
    isTakenOver,
    labelsOf: (scenario) => settings.labels[scenario] ?? [],
    getTrial: (runId, place) => store.getTrial(runId, place),
    changedTrials: (runId, cursor) => workforce.changedTrials(runId, cursor),
    onEvent: options.onEvent,
    abort: options.abort,
  });
}

/** Leads an experiment by its record and its order alone. */
export async function leadExperimentOrder(
  options: LeadOptions<ExperimentEvent> & { experiment: ExperimentRecord },
): Promise<ExperimentRecord> {
  const { store, order, experiment, isTakenOver, abort = NEVER, onEvent = () => {} } = options;
  const workforce = workforceOf(store);
  const settings = experimentSettingsOf(order);
  const experiments = experimentsOf(store);
  const { getGame, changedGames } = experiments;
  const claimed = claimOf(options, workforce, (reason) => onEvent({ type: 'no_worker', reason }));
  return await leadExperiment({
    ...common(options, workforce, settings.budget_usd ?? experiment.plan.budget_usd ?? null),
    experiment,
    ...claimed,
    recorder: { ...experiments, claim: claimed.recorder.claim },
    isTakenOver,
    labels: settings.labels,
    isRepeatable: (red) => !asksModel(red),
    getGame,
    changedGames,
    now: () => new Date(),
    ...{ abort, onEvent },
  });
}

const NEVER = new AbortController().signal;
const LED_ELSEWHERE: readonly ErrorCode[] = ['AT_WORK', 'LEASE_LOST', 'ORDER_ENDED'];

/** Whether another process leads the work, or has ended it, so that there is nothing to lead here. */
export function isLedElsewhere(error: unknown): boolean {
  return error instanceof SalvoError && LED_ELSEWHERE.includes(error.code);
}

/** Throws if no other process works for the store. */
export function workforceOf({ workforce }: Store): Workforce {
  if (workforce) return workforce;
  throw new SalvoError(
    'DATABASE_MISSING',
    'Workers need a database that all of them can reach: set SALVO_DATABASE_URL=postgres://..., or database_url in salvo.yaml.',
  );
}

/**
 * The process that ends an order has the lease until the order is closed. So one that is there now is still open, and
 * one that is not, or is another one, has ended since somebody saw it: it must not be opened again. A lead that begins
 * afresh first lets the workers end what they do for the lead that is gone.
 */
function claimOf<Event>(
  { store, order, isTakenOver, abort }: LeadOptions<Event>,
  { queue, cursor: cursorNow }: Workforce,
  onWaiting: (reason: string) => void,
) {
  let isLost = false;
  let cursor = '';
  const claim = claimAndFirst(store.claim, async (work, lease) => {
    const found = await queue.orderOf(work);
    if (isTakenOver && !isDeepStrictEqual(found, order)) {
      throw new SalvoError('ORDER_ENDED', `The workers of ${work.kind} ${work.id} have ended it.`);
    }
    if (!isTakenOver && found) {
      const signals = { lost: lease.lost, abort: joinedSignals({ abort }, lease).abort };
      isLost = await endJobsUnderWay(queue, found, { signals, onWaiting });
    }
    // Before what is stored is read: the workers of an earlier lead may go on storing.
    cursor = await cursorNow();
  });
  return { recorder: { ...store, claim }, wasAttemptLost: () => isLost, claimedAt: () => cursor };
}

function common<Event>(
  { order, isTakenOver, leave, local, stop = NEVER }: LeadOptions<Event>,
  { queue, ledger }: Workforce,
  budgetUsd: number | null,
) {
  const nobodyLeft = new AbortController();
  return {
    stop: AbortSignal.any([stop, nobodyLeft.signal]),
    async openOrder(earlier: EarlierSpending): Promise<LedOrder> {
      const led = await queue.lead(order, { fresh: !isTakenOver });
      // Before the first job is added: a worker that takes one asks for money.
      if (budgetUsd !== null) await openBudgetAccount(ledger, order.work, { limitUsd: budgetUsd, ...earlier });
      return {
        ...led,
        async close() {
          await led.close();
          if (budgetUsd !== null) await closeBudgetAccount(ledger, order.work);
        },
      };
    },
    workersNow: async () => new Set((await queue.workers()).map(({ worker_id }) => worker_id)),
    fittingWorkers: async () => fittingWorkers(await queue.workers(), order),
    whyNoWorker: async () => {
      // They may have been started and not have joined yet.
      if (local && local.alive() > 0) return null;
      const reason = await whyNoWorker(queue, order);
      if (reason !== null && local && local.started > 0) nobodyLeft.abort();
      return reason;
    },
    leave,
  };
}

function calibrations(store: Store, judges: ReturnType<typeof runSettingsOf>['judges']): CalibrationOf {
  return calibrationLookup(
    store,
    judges.map(({ judge_hash, is_script, facts }) => ({ judgeHash: judge_hash, isScript: is_script, facts })),
  );
}

async function judgeByBaseline({
  store,
  run,
  order,
}: {
  store: Store;
  run: RunRecord;
  order: WorkOrder;
}): Promise<RunPlan['judgeSummaries']> {
  const against = await baselineOfOrder(store, order);
  return against && ((summaries: ScenarioSummary[]) => against.judge(store, run.run_id, summaries));
}

/** The baseline that travelled with the order of a run; null if it has none. */
export async function baselineOfOrder(store: Store, order: WorkOrder): Promise<AgainstEnd | null> {
  const { baseline: hash } = runSettingsOf(order);
  if (hash === null) return null;
  const content = (await workforceOf(store).queue.readFiles([hash])).get(hash);
  if (!content) {
    throw new SalvoError('ORDER_UNREADABLE', `The baseline of run ${order.work.id} is no longer in the database.`);
  }
  const { againstBaseline, readResults } = await import('salvo/kit/compare');
  return againstBaseline(readResults(new TextDecoder().decode(content), 'the baseline'));
}
