import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import type { JudgeServices, RunEvent, RunOutcome, RunRequest } from '../../run/conduct/run-request.ts';
import { runScenarios } from '../../run/conduct/run-scenarios.ts';
import { type PlannedCase, plannedCases } from '../../run/record/planned-cases.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import { openResources } from '../../text/open-resources.ts';
import { projectRedactor, type Stoppable } from '../project/open-project.ts';
import type { OpenRun } from '../results/open-run.ts';
import { onlyNote } from '../selection/select-scenarios.ts';
import { planRun, type RunPlan } from './plan-run.ts';
import { type PreparedRun, prepareRun, type RunServices } from './prepare-run.ts';
import type { PerformRunOptions, ResumeRunOptions, RunFilesOptions } from './run-options.ts';

/** A run that is over. Its store is open, for reports that read the trials. Dispose of it when done. */
export interface FinishedRun extends OpenRun {
  outcome: RunOutcome;
  /** The comparison with the baseline; null if none was asked for. */
  against: AgainstOutcome | null;
  /** Of a shard: the cases of each scenario that was run, with the trials of all shards. */
  planned?: PlannedCase[][] | undefined;
}

/** Runs scenario files, and stores the run with its verdict. */
export function runFiles(options: RunFilesOptions = {}): Promise<FinishedRun> {
  return performRun(options);
}

/** Runs what failed or is missing of a stored run. */
export function resumeRun({ run, ...options }: ResumeRunOptions): Promise<FinishedRun> {
  return performRun({ ...options, resume: run });
}

/** The whole way from scenario files to a stored run with a verdict. */
export async function performRun(options: PerformRunOptions): Promise<FinishedRun> {
  await using resources = openResources();
  const plan = await planRun(options, resources);
  const prepared = await prepareRun(plan, resources);
  options.onEvent?.({
    type: 'run_prepared',
    run: prepared.run,
    warnings: warningsOf(plan),
    uncalibrated: prepared.judges.uncalibrated,
    notes: plan.baseline?.notes(),
  });
  const outcome = await conductRun(plan, prepared);
  outcome.warnings.push(...(await finishCassettes(prepared, outcome)));
  const finished = await finishedRun(plan, prepared, outcome);
  if (options.evidence !== undefined && finished.run.options.against?.until) {
    await (await import('../compare/evidence.ts')).writeEvidence(
      prepared.store,
      finished.run,
      resolve(plan.cwd, options.evidence),
    );
  }
  return resources.keepFor(finished);
}

/** The record of the run says of each cassette what became of it. */
async function finishCassettes({ run, store, cassettes, toolCassettes }: PreparedRun, outcome: RunOutcome) {
  if (!cassettes && !toolCassettes) return [];
  const warnings = [...((await cassettes?.finish()) ?? []), ...(toolCassettes?.finish(outcome) ?? [])];
  const cassette = cassettes && { ...cassettes.record, ...(cassettes.isEmpty() && { empty: true }) };
  const options = {
    ...run.options,
    ...(cassette && { cassette }),
    ...(toolCassettes && { tool_cassettes: toolCassettes.recorded() }),
  };
  if (!isDeepStrictEqual(options, run.options)) await store.updateRun(run.run_id, { options });
  return warnings;
}

function warningsOf({ project, chosen, skipped }: RunPlan): Diagnostic[] {
  const loaded = new Set([...chosen, ...skipped].map((each) => each.loaded));
  return [...(project.warnings ?? []), ...[...loaded].flatMap(({ warnings }) => warnings)];
}

/** Performs the trials in this process, or lets workers perform them. */
async function conductRun(plan: RunPlan, prepared: PreparedRun): Promise<RunOutcome> {
  const { options, project, cwd, env, chosen, baseline } = plan;
  const { run, store, scenarios, ready, judges, budgetUsd } = prepared;
  if (plan.byWorkers) {
    return (await import('../work/run-by-workers.ts')).runByWorkers({
      ...{ options, store, run, chosen, described: scenarios, project, cwd, env, judges: judges.judges, budgetUsd },
      baseline: baseline?.baseline ?? null,
    });
  }
  const { hooks } = project.config;
  const services = { ...prepared.services, answersOf: prepared.answersOf };
  return runPrepared(options, services, {
    ...{ run, prepared: ready, recorder: store, budgetUsd, calibrationOf: judges.calibrationOf },
    resumed: plan.earlier !== null,
    hooks: hooks === undefined ? {} : await (await import('../../scenario/code/load-hooks.ts')).loadHooks(project),
    watch: await baseline?.watch(store, run),
    judgeSummaries: baseline && ((own: ScenarioSummary[]) => baseline.judge(store, run.run_id, own)),
  });
}

/** What reports need of the run. */
async function finishedRun(
  { options, project, env, chosen, leftOut, baseline }: RunPlan,
  { run, store, scenarios }: PreparedRun,
  outcome: RunOutcome,
): Promise<Omit<FinishedRun, typeof Symbol.asyncDispose>> {
  const stored = (await store.getRun(run.run_id)) ?? run;
  const warnings = outcome.warnings.map(projectRedactor(project, env).text);
  return {
    ...{ outcome, run: stored, store, project },
    against: (await baseline?.outcome(store, stored)) ?? null,
    notes: [...onlyNote(chosen, leftOut), ...(await workspacesNote(options, run)), ...warnings],
    planned: (options.shard ? scenarios : []).map(({ scenario }, index) =>
      plannedCases(scenario, { options: run.options, chosen: run.options.cases?.[index] ?? null }),
    ),
    async *trials() {
      yield* (await import('../results/open-run.ts')).trialsOf(store, stored);
    },
  };
}

async function workspacesNote({ keepWorkspaces }: Pick<RunFilesOptions, 'keepWorkspaces'>, { run_id }: RunRecord) {
  if (!keepWorkspaces) return [];
  const { keptWorkspaces } = await import('../../trial/environment.ts');
  const folder = keptWorkspaces(run_id);
  return existsSync(folder) ? [`the workspaces are kept in ${folder}`] : [];
}

/** Runs prepared scenarios with the models of their project. */
export function runPrepared(
  options: Stoppable &
    Pick<RunFilesOptions, 'concurrency' | 'retries' | 'keepWorkspaces'> & {
      onEvent?: ((event: RunEvent) => void) | undefined;
    },
  services: RunServices & Pick<JudgeServices, 'answersOf'>,
  request: Pick<
    RunRequest,
    'run' | 'resumed' | 'prepared' | 'recorder' | 'budgetUsd' | 'calibrationOf' | 'judgeSummaries' | 'watch' | 'hooks'
  >,
): Promise<RunOutcome> {
  const { project, pricing, retry, outageOf, models, voteCache, answersOf } = services;
  const { concurrency = project.config.concurrency, stop, abort, onEvent, keepWorkspaces } = options;
  return runScenarios({
    ...request,
    project,
    services: { pricing, retry, maxRetries: options.retries, outageOf, abort },
    judgeServices: { models, voteCache, answersOf },
    ...{ concurrency, stop, onEvent, keepWorkspaces },
    earlyStop: request.run.options.early_stop,
  });
}
