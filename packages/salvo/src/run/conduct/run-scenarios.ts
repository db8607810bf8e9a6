import { NO_LIMIT } from '../../models/budget/budget.ts';
import type { WorkSignals } from '../../queue/conduct.ts';
import { runPool } from '../../queue/run-pool.ts';
import { exitWork } from '../../text/modules/process-work.ts';
import { trialKey } from '../record/planned-cases.ts';
import type { TrialJob } from './begin-trial.ts';
import { conductRun, type OpenedRun, type PerformedRun } from './conduct-run.ts';
import { performTrial, type TrialPlace } from './perform-trial.ts';
import { createRunHooks } from './run-hooks.ts';
import type { ConductedRun, RunOutcome, RunRequest, TrialRequest } from './run-request.ts';
import { addFinished, missingTrials, type ScenarioState } from './scenario-state.ts';

/** Runs the missing trials of every scenario in this process, stores each as it finishes, and returns the verdict. */
export async function runScenarios(request: RunRequest): Promise<RunOutcome> {
  const { prepared, project, services } = request;
  const plan: ConductedRun = {
    ...request,
    scenarios: prepared,
    judge: project.config.judge,
    outageOf: services.outageOf,
    abort: services.abort,
  };
  return await conductRun(plan, (opened, signals) => performHere({ request, plan }, opened, signals));
}

async function performHere(
  { request, plan }: { request: RunRequest; plan: ConductedRun },
  { states, spentUsd, wasKilled }: OpenedRun,
  { stop, abort }: WorkSignals,
): Promise<PerformedRun> {
  const { run, project, hooks: ownHooks = {}, prepared: scenarios, judgeServices } = request;
  const services = { ...request.services, abort };
  const voteCache =
    judgeServices?.voteCache &&
    (await import('../../models/call/vote-cache.ts')).votesOfRun(judgeServices.voteCache, run.run_id);
  const trials: TrialRequest = {
    ...request,
    stop,
    services,
    judgeServices: judgeServices && { ...judgeServices, voteCache },
  };
  if (wasKilled) await (await import('./killed-process.ts')).markKilled(states, request);
  const budget =
    request.budgetUsd === null
      ? NO_LIMIT
      : (await import('../../models/budget/create-budget.ts')).createBudget(request.budgetUsd, { spentUsd });
  const { timeout_seconds: timeoutSeconds } = project.config.defaults;
  const runId = run.run_id;
  const hooks = createRunHooks({ runId, root: project.root, hooks: ownHooks, scenarios, timeoutSeconds, abort });
  let warnings: string[] = [];
  exitWork.add(hooks.close);
  try {
    await runPool({
      jobs: missingTrials(states),
      concurrency: request.concurrency,
      stop,
      perform: async (job, leave) => {
        const place = placeOf(job, { request, plan, states });
        // The next trial is taken only when it is known whether it is needed.
        const onlyToStore = plan.watch ? () => {} : leave;
        if (place) await performTrial(job, { request: trials, place, budget, hooks, onlyToStore });
        await plan.watch?.settled();
      },
    });
  } finally {
    warnings = await hooks.close();
    exitWork.delete(hooks.close);
  }
  return { states, budgetRefusal: budget.refusal, warnings };
}

function placeOf(
  { scenario, caseIndex, trialNumber }: TrialJob,
  { request, plan, states }: { request: RunRequest; plan: ConductedRun; states: ScenarioState[] },
): TrialPlace | null {
  const state = states[scenario];
  const prepared = request.prepared[scenario];
  if (!state || !prepared) return null;
  const { earlier, notJudged } = state;
  const key = trialKey(caseIndex, trialNumber);
  return {
    prepared,
    earlierTrace: earlier.traces.get(key),
    earlierCost: earlier.repeatedCosts.get(key) ?? null,
    isPointless: (trial) => state.ended !== null || state.outage(trial) !== null,
    countEarlierCost: (cost) => earlier.repeatedCosts.set(key, cost),
    countNotJudged: (cost) => notJudged.set(key, cost),
    countResult: (result) => addFinished(state, result, plan),
  };
}
