import { joinedSignals, type Lease } from '../../queue/lease.ts';
import type { Coordinator } from '../../queue/work-queue.ts';
import { runVerdict } from '../verdict/verdict.ts';
import type { ConductedRun, RunOutcome } from './run-request.ts';
import { openStates, type ScenarioState } from './scenario-state.ts';
import { outsideShard, skippedSummary } from './skipped-scenario.ts';

/** A run that this process has the right to work on. */
export interface ClaimedRun {
  plan: ConductedRun;
  lease: Lease;
  /** With the trials that were stored before. */
  states: ScenarioState[];
  /** The process that worked on it before could not say how it ended. */
  wasKilled: boolean;
  /** Aborted by the caller, through the store, or because another process has the lease. */
  stop: AbortSignal;
  abort: AbortSignal;
}

/** What is known when all trials of a run were performed, or given up. */
export interface PerformedRun {
  states: ScenarioState[];
  /** Why the budget refused trials; null if it did not. */
  budgetRefusal: string | null;
  warnings: string[];
  /** The order of its workers. It is led until the verdict is stored, or nobody would know that somebody does. */
  led?: Coordinator | undefined;
}

/**
 * Claims a run, lets its missing trials be performed, here or by others, and stores and returns its verdict. Refuses a
 * run that another process works on.
 */
export async function conductRun(
  plan: ConductedRun,
  perform: (claimed: ClaimedRun) => Promise<PerformedRun>,
): Promise<RunOutcome> {
  const { run, recorder } = plan;
  // Before its trials are read: until it is claimed, another process may add trials.
  await using lease = await recorder.claim({ kind: 'run', id: run.run_id });
  const states = await openStates(plan);
  const wasKilled = plan.resumed && (await recorder.getRun(run.run_id))?.status === 'running';
  if (plan.resumed) {
    await recorder.updateRun(run.run_id, {
      status: 'running',
      options: run.options,
      git: run.git,
      finished_at: null,
      verdict: null,
      exit_code: null,
    });
  } else {
    await recorder.createRun(run);
  }
  plan.onEvent?.({
    type: 'run_started',
    planned: states.reduce((sum, { planned }) => sum + planned, 0),
    earlierTrials: earlierTrials(states),
    repeated: states.reduce((sum, { earlier }) => sum + earlier.unanswered.size, 0),
    judgedAgain: states.reduce((sum, { earlier }) => sum + earlier.traces.size, 0),
  });
  lease.stop.addEventListener('abort', () => plan.onEvent?.({ type: 'stop_asked' }));
  const before = earlierTrials(states);
  const performed = await perform({ plan, lease, states, wasKilled, ...joinedSignals(plan, lease) });
  await using led = performed.led;
  lease.lost.throwIfAborted();
  const finished = await finishRun(plan, performed);
  await led?.close();
  return { ...finished, earlierTrials: before };
}

async function finishRun(
  plan: ConductedRun,
  { states, budgetRefusal, warnings }: PerformedRun,
): Promise<Omit<RunOutcome, 'earlierTrials'>> {
  const { run, recorder } = plan;
  const scenarios = await Promise.all(
    states.map(async ({ tally, planned, counted, notJudged, earlier, ended, outage }) => {
      const missing = tally.counts().total < counted;
      const proof = outage({ isRecorded: false });
      const stopped = ended ?? (proof ? 'provider' : budgetRefusal !== null ? 'budget' : 'interrupted');
      const summary = tally.summary({
        stopped: missing ? stopped : null,
        stopError: missing && stopped === 'provider' ? proof : null,
        notJudged: [...notJudged.values()],
        earlierCosts: [...earlier.repeatedCosts.values()],
        allowUnscored: run.options.allow_unscored,
        recordOnly: run.options.record_only,
      });
      const { shard } = run.options;
      if (shard && planned === 0) return { summary: outsideShard(summary, shard) };
      if (summary.judges.length === 0) return { summary };
      const { withCalibrations } = await import('../verdict/judge-calibrations.ts');
      return { summary: await withCalibrations(summary, plan.calibrationOf) };
    }),
  );
  const skipped = run.scenarios.slice(states.length).map((entry, position) => {
    const chosen = run.options.cases?.[states.length + position] ?? null;
    return skippedSummary(entry, { chosen, startedAt: run.created_at });
  });
  const own = [...scenarios.map(({ summary }) => summary), ...skipped];
  const summaries = plan.judgeSummaries ? await plan.judgeSummaries(own) : own;
  const { verdict, exit_code } = runVerdict(summaries.map((summary) => summary.verdict));
  const interrupted = summaries.some(({ stopped }) => stopped === 'interrupted');
  await recorder.updateRun(run.run_id, {
    status: interrupted ? 'interrupted' : 'finished',
    finished_at: new Date().toISOString(),
    verdict,
    exit_code,
    summaries,
  });
  return {
    runId: run.run_id,
    verdict,
    exitCode: exit_code,
    scenarios: summaries.slice(0, scenarios.length).map((summary) => ({ summary })),
    budgetRefusal,
    warnings,
  };
}

function earlierTrials(states: ScenarioState[]): number {
  return states.reduce((sum, { earlier }) => sum + earlier.done.size, 0);
}
