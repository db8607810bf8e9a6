import type { Budget } from '../models/budget.ts';
import { createBudget } from '../models/limited-budget.ts';
import { votesOfRun } from '../models/vote-cache.ts';
import { joinedSignals, type Lease } from '../queue/lease.ts';
import { runPool } from '../queue/run-pool.ts';
import { exitWork } from '../text/exit-work.ts';
import type { TrialJob } from './begin-trial.ts';
import { withCalibrations } from './judge-calibrations.ts';
import { performTrial } from './perform-trial.ts';
import { trialKey, trialNumberAt } from './planned-cases.ts';
import { createRunHooks, type RunHooks } from './run-hooks.ts';
import type { RunOutcome, RunRequest } from './run-request.ts';
import { openStates, type ScenarioState } from './scenario-state.ts';
import { outsideShard, skippedSummary } from './skipped-scenario.ts';
import { runVerdict } from './verdict.ts';

/** Runs the missing trials of every scenario, stores each as it finishes, and returns the verdict. */
export async function runScenarios(request: RunRequest): Promise<RunOutcome> {
  // Before its trials are read: until it is claimed, another process may add trials.
  await using lease = await request.recorder.claim({ kind: 'run', id: request.run.run_id });
  return await runClaimed(untilLost(request, lease), lease);
}

/** The request, stopped as soon as another process has the lease, or somebody asked for it through the store. */
function untilLost(request: RunRequest, lease: Lease): RunRequest {
  const { services, judgeServices, run } = request;
  const { stop, abort } = joinedSignals({ stop: request.stop, abort: services.abort }, lease);
  const voteCache = judgeServices?.voteCache && votesOfRun(judgeServices.voteCache, run.run_id);
  return {
    ...request,
    stop,
    services: { ...services, abort },
    judgeServices: judgeServices && { ...judgeServices, voteCache },
  };
}

async function runClaimed(request: RunRequest, lease: Lease): Promise<RunOutcome> {
  const { run, recorder } = request;
  const states = await openStates(request);
  const spent = states.reduce((sum, { earlier }) => sum + earlier.costUsd, 0);
  const budget = createBudget(request.budgetUsd, { spentUsd: spent });
  if (request.resumed) {
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
  request.onEvent?.({
    type: 'run_started',
    planned: states.reduce((sum, { planned }) => sum + planned, 0),
    earlierTrials: earlierTrials(states),
    repeated: states.reduce((sum, { earlier }) => sum + earlier.unanswered.size, 0),
    judgedAgain: states.reduce((sum, { earlier }) => sum + earlier.traces.size, 0),
  });
  lease.stop.addEventListener('abort', () => request.onEvent?.({ type: 'stop_asked' }));
  const hooks = hooksOf(request);
  let warnings: string[] = [];
  exitWork.add(hooks.close);
  try {
    await runPool({
      jobs: missingTrials(states),
      concurrency: request.concurrency,
      stop: request.stop,
      perform: (job) => performTrial(job, { request, states, budget, hooks }),
    });
  } finally {
    warnings = await hooks.close();
    exitWork.delete(hooks.close);
  }
  lease.lost.throwIfAborted();
  return { ...(await finishRun({ request, states, budget })), warnings };
}

function hooksOf({ run, project, prepared: scenarios, hooks = {}, services }: RunRequest): RunHooks {
  const { timeout_seconds: timeoutSeconds } = project.config.defaults;
  return createRunHooks({
    runId: run.run_id,
    root: project.root,
    hooks,
    scenarios,
    timeoutSeconds,
    abort: services.abort,
  });
}

/** Scenarios take turns, and so do their cases: a run that is stopped early has trials of each. */
function* missingTrials(states: ScenarioState[]): Generator<TrialJob> {
  const mostTrials = largest(states.flatMap(({ cases }) => cases.map(({ trials }) => trials)));
  const mostCases = largest(states.map(({ cases }) => cases.length));
  for (let turn = 0; turn < mostTrials; turn += 1) {
    for (let position = 0; position < mostCases; position += 1) {
      for (const [scenario, state] of states.entries()) {
        const ofCase = state.cases[position];
        if (!ofCase || turn >= ofCase.trials) continue;
        const { index, name } = ofCase;
        const trialNumber = trialNumberAt(ofCase, turn);
        const key = trialKey(index, trialNumber);
        if (state.earlier.done.has(key)) continue;
        // Checked when the job is taken, because the verdict may have become certain meanwhile.
        if (state.isCertain) continue;
        if (state.outage({ isRecorded: state.earlier.traces.has(key) })) continue;
        yield { scenario, caseIndex: index, caseName: name, trialNumber };
      }
    }
  }
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), 0);
}

async function finishRun({
  request,
  states,
  budget,
}: {
  request: RunRequest;
  states: ScenarioState[];
  budget: Budget;
}): Promise<Omit<RunOutcome, 'warnings'>> {
  const { run, recorder } = request;
  const scenarios = await Promise.all(
    states.map(async ({ tally, planned, counted, notJudged, earlier, isCertain, outage }) => {
      const missing = tally.counts().total < counted;
      const proof = outage({ isRecorded: false });
      const stopped = isCertain ? 'early_stop' : proof ? 'provider' : budget.refusal ? 'budget' : 'interrupted';
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
      return { summary: await withCalibrations(summary, request.calibrationOf) };
    }),
  );
  const skipped = run.scenarios.slice(states.length).map((entry, position) => {
    const chosen = run.options.cases?.[states.length + position] ?? null;
    return skippedSummary(entry, { chosen, startedAt: run.created_at });
  });
  const own = [...scenarios.map(({ summary }) => summary), ...skipped];
  const summaries = request.judgeSummaries ? await request.judgeSummaries(own) : own;
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
    budgetRefusal: budget.refusal,
    earlierTrials: earlierTrials(states),
  };
}

function earlierTrials(states: ScenarioState[]): number {
  return states.reduce((sum, { earlier }) => sum + earlier.done.size, 0);
}
