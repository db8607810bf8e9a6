import { conduct, type Performed, type WorkSignals } from '../../queue/conduct.ts';
import { knownUsd } from '../../stats/cost.ts';
import { judgeCost } from '../../trace/cost-fields.ts';
import { isOnlyRecorded } from '../record/planned-cases.ts';
import { runVerdict } from '../verdict/verdict.ts';
import type { ConductedRun, RunOutcome } from './run-request.ts';
import { openStates, type ScenarioState } from './scenario-state.ts';
import { outsideShard, skippedSummary } from './skipped-scenario.ts';

/** A run that this process has the right to work on. */
export type OpenedRun = Awaited<ReturnType<typeof openRun>>;

/** What is known when all trials of a run were performed, or given up. */
export interface PerformedRun extends Performed {
  states: ScenarioState[];
  warnings: string[];
}

/** Conducts a run. `perform` lets its missing trials be performed, here or by workers. */
export async function conductRun(
  plan: ConductedRun,
  perform: (opened: OpenedRun, signals: WorkSignals) => Promise<PerformedRun>,
): Promise<RunOutcome> {
  const { run, recorder, stop, abort, onEvent } = plan;
  return await conduct({
    ...{ work: { kind: 'run', id: run.run_id }, stop, abort, onEvent, perform },
    claim: (work) => recorder.claim(work),
    open: () => openRun(plan),
    end: async ({ earlierTrials }, done) => ({ ...(await finishRun(plan, done)), earlierTrials }),
  });
}

async function openRun(plan: ConductedRun) {
  const { run, recorder } = plan;
  // With the trials that were stored before.
  const states = await openStates(plan);
  // The process that worked on it before could not say how it ended.
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
  const sum = (of: (state: ScenarioState) => number): number => states.reduce((all, state) => all + of(state), 0);
  const earlierTrials = sum(({ earlier }) => earlier.done.size);
  plan.onEvent?.({
    type: 'run_started',
    planned: sum(({ planned }) => planned),
    earlierTrials,
    repeated: sum(({ earlier }) => earlier.unanswered.size),
    judgedAgain: sum(({ earlier }) => earlier.traces.size),
  });
  const checks = (run.options.drift_checks ?? []).map((check) => knownUsd(judgeCost(check)));
  const spentUsd = sum(({ earlier }) => earlier.costUsd) + checks.reduce((all, usd) => all + usd, 0);
  return { states, earlierTrials, spentUsd, wasKilled };
}

/** Whether every case of a run that goes on until it is decided has a trial: then what is missing is not needed. */
function isOpen({ options }: ConductedRun['run'], total: number, planned: number): boolean {
  return options.against?.until !== undefined && options.trials !== null && total * options.trials >= planned;
}

async function finishRun(
  plan: ConductedRun,
  { states, budgetRefusal, warnings }: PerformedRun,
): Promise<Omit<RunOutcome, 'earlierTrials'>> {
  const { run, recorder } = plan;
  const scenarios = await Promise.all(
    states.map(async ({ scenario, tally, planned, counted, notJudged, earlier, ended, outage }) => {
      const missing = tally.counts().total < counted;
      const proof = outage({ isRecorded: false });
      const byBudget = isOpen(run, tally.counts().total, counted) ? 'undecided' : 'budget';
      const stopped = ended ?? (proof ? 'provider' : budgetRefusal !== null ? byBudget : 'interrupted');
      const summary = tally.summary({
        stopped: missing ? stopped : null,
        stopError: missing && stopped === 'provider' ? proof : null,
        notJudged: [...notJudged.values()],
        earlierCosts: [...earlier.repeatedCosts.values()],
        allowUnscored: run.options.allow_unscored,
        recordOnly: isOnlyRecorded(run.options, scenario.scenario),
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
