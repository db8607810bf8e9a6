import type { AgainstOutcome } from '../../run/compare/judge-against.ts';
import {
  calledModels,
  type DescribedScenario,
  describeScenario,
  prepareScenario,
} from '../../run/conduct/prepare-scenario.ts';
import type { RunEvent, RunOutcome, RunRequest } from '../../run/conduct/run-request.ts';
import { runScenarios } from '../../run/conduct/run-scenarios.ts';
import type { AgentFiles } from '../../run/record/agent-files.ts';
import { entryKey } from '../../run/record/candidate-labels.ts';
import { newRun, recordedScenario } from '../../run/record/new-run.ts';
import { type PlannedCase, plannedCases } from '../../run/record/planned-cases.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord, RunScenario, Shard } from '../../run/record/run-record.ts';
import { loadProject, loadSettings } from '../../scenario/load-project.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isAllCodeRefused, refuseAllCode } from '../../text/modules/permitted-code.ts';
import { openResources } from '../../text/open-resources.ts';
import type { AgainstOptions } from '../compare/against.ts';
import { openBaseline } from '../compare/open-baseline.ts';
import {
  hasWorkforce,
  openProjectStore,
  projectRedactor,
  type Stoppable,
  type Workplace,
} from '../project/open-project.ts';
import { openProjectCalls, type ProjectCalls } from '../project/project-calls.ts';
import { projectEnv } from '../project/project-env.ts';
import type { ProjectModels } from '../project/project-models.ts';
import type { OpenRun } from '../results/open-run.ts';
import type { CandidateOptions } from '../selection/candidates.ts';
import { type ChosenEntry, chooseEntries, entriesOfRun, namedCandidate } from '../selection/choose-entries.ts';
import type { RunFilesEvent } from '../selection/run-files-event.ts';
import { onlyNote, refuseOnlyInCi } from '../selection/select-scenarios.ts';
import { refuseWithoutWorkers, type WorkerUse } from '../work/workers-door.ts';
import { codeOfRun } from './code-of-run.ts';
import { gitState } from './git-state.ts';
import type { KnownJudges } from './known-judges.ts';

export interface RunFilesOptions extends Workplace, Stoppable, CandidateOptions, AgainstOptions {
  /** Files, folders, globs, or names of scenarios; the project's `scenarios_dir` when empty. */
  files?: string[] | undefined;
  /** Only scenarios and cases with all of these tags, each `tag` or `tag=value`. */
  tags?: string[] | undefined;
  /** Only scenarios and cases with this text in their name. */
  grep?: string | undefined;
  /** Only the first so many cases of each scenario, of those that are chosen otherwise. */
  cases?: number | undefined;
  /** Only what did not pass in the latest run, with the adapters and models of that run unless others are named. */
  failed?: boolean | undefined;
  /** How often each case runs, instead of what rows, scenarios and salvo.yaml say. 3 times if nothing says it. */
  trials?: number | undefined;
  concurrency?: number | undefined;
  seed?: number | undefined;
  budgetUsd?: number | undefined;
  earlyStop?: boolean | undefined;
  recordOnly?: boolean | undefined;
  allowUnscored?: boolean | undefined;
  /** The share of trials that must pass, instead of what scenarios and salvo.yaml say. 1 if nothing says it. */
  minPassRate?: number | undefined;
  /** The mean score that a scenario must reach, instead of what scenarios and salvo.yaml say. */
  minScore?: number | undefined;
  retries?: number | undefined;
  /** False: judges' cached votes are ignored. */
  judgeCache?: boolean | undefined;
  /** How workers are used, if the project has a database for them. */
  workers?: WorkerUse | undefined;
  onEvent?: ((event: RunFilesEvent) => void) | undefined;
}

export interface ResumeRunOptions extends RunFilesOptions {
  /** The run to complete: its id, the beginning of it, or `latest`. */
  run: string;
  /** The run may go on although its agent changed: its trials are then those of two agents, and its reports say so. */
  mixed?: boolean | undefined;
}

/** What `runFiles`, `resumeRun` and `runShard` have in common. */
export interface PerformRunOptions extends RunFilesOptions, Partial<Pick<ResumeRunOptions, 'mixed'>> {
  /** The run to complete, if there is one already. */
  resume?: string | undefined;
  /** Only this part of the trials, with its share of budget and limits. `mergeParts` joins the parts of all shards. */
  shard?: Shard | undefined;
}

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
  const { cwd = process.cwd(), env = process.env, onEvent = () => {} } = options;
  const { shard } = options;
  // The run that is resumed says whether plugins may be executed.
  const settings = await (options.resume === undefined ? loadProject(cwd) : loadSettings(cwd));
  const git = gitState(settings.root);
  await using resources = openResources();
  const openRunStore = async (mustExist: boolean): Promise<Store> =>
    resources.adopt(await openProjectStore(settings, { env, mustExist, patience: options.patience }), (store) =>
      store.close(),
    );

  const earlier = options.resume === undefined ? null : await openEarlierRun(options.resume, openRunStore);
  if (earlier?.run.options.no_code) refuseAllCode();
  const whole = earlier ? await loadProject(cwd) : settings;
  const project = shard ? (await import('./share-of-limits.ts')).shareOfLimits(whole, shard) : whole;
  const failedStore = options.failed ? await openRunStore(true) : null;
  const failed = failedStore
    ? await (await import('../selection/failed-cases.ts')).failedInLatestRun(failedStore)
    : undefined;
  const baseline = await openBaseline(options, { project, cwd, env, earlier: earlier?.run });
  const { files, tags, grep } = options;
  const { chosen, skipped, leftOut } = earlier
    ? await entriesOfRun(earlier.run, { project, cwd, files, tags, options })
    : await chooseEntries({ options, project, cwd, files, tags, grep, cases: options.cases, failed });
  if (isAllCodeRefused()) {
    const { refuseCodeOfAdapter } = await import('../../scenario/refused-adapters.ts');
    for (const { adapter, loaded } of chosen) refuseCodeOfAdapter(adapter ?? loaded.scenario.adapter, project);
  }
  await refuseOnlyInCi([...chosen, ...skipped], { project, env });
  const recordOnly = earlier ? earlier.run.options.record_only : (options.recordOnly ?? false);
  const calls = { project, env, retries: options.retries };
  const ofJudges = recordOnly || !hasJudge(chosen) ? null : await import('./known-judges.ts');
  const asked = ofJudges && resources.use(await ofJudges.openProjectModels({ ...calls, cache: options.judgeCache }));
  const services = asked ?? openProjectCalls(calls);
  const { limiterOf } = services;
  const byWorkers = !shard && hasWorkforce(project, env);
  await refuseWithoutWorkers(options.workers, byWorkers);
  const preparation = { project, env: projectEnv(project, env), recordOnly, limiterOf };
  // Workers make adapters ready where they are, with their own keys. Those that are started here have the same keys.
  const ready =
    byWorkers && !options.workers?.local
      ? []
      : await Promise.all(
          chosen.map(({ loaded, adapter, model }) => prepareScenario(loaded, { ...preparation, adapter, model })),
        );
  const prepared = byWorkers
    ? chosen.map(({ loaded, adapter, model }) => describeScenario(loaded, { ...preparation, adapter, model }))
    : ready;
  if (!earlier) refuseSameTwice(prepared);
  resources.defer(async () => {
    await Promise.all(ready.map((scenario) => scenario.adapter.close?.()));
  });
  for (const scenario of ready) await scenario.adapter.prepare?.();
  const askedUsd = options.budgetUsd === undefined ? undefined : options.budgetUsd / (shard?.count ?? 1);
  const budgetUsd = await services.budgetUsd(askedUsd, await calledModels({ prepared, project, recordOnly }));
  const cases = [...chosen, ...skipped].map((each) => each.cases);
  const unprepared = skipped.map((each) => skippedScenario(each, project));
  const state = { git: await git, ...(await codeOfRun(chosen, preparation)) };
  const begun = earlier
    ? earlier.resumedRun(earlier.run, prepared, { ...options, ...state })
    : plannedRun(prepared, options, { cases, skipped: unprepared, ...state });
  const run = baseline?.plan(begun) ?? begun;

  // Only now: wrong input must not leave an empty store behind.
  const store = earlier?.store ?? failedStore ?? (await openRunStore(false));
  const { judges, calibrationOf, uncalibrated } =
    ofJudges && asked ? await ofJudges.knownJudges(prepared, { ...asked, store }) : NO_JUDGES;
  onEvent({
    type: 'run_prepared',
    run,
    warnings: [
      ...(project.warnings ?? []),
      ...[...new Set([...chosen, ...skipped].map(({ loaded }) => loaded))].flatMap(({ warnings }) => warnings),
    ],
    uncalibrated,
  });
  const resumed = earlier !== null;
  const outcome = byWorkers
    ? await (await import('../work/run-by-workers.ts')).runByWorkers({
        ...{ options, store, run, chosen, described: prepared, project, cwd, env, judges, budgetUsd },
        baseline: baseline?.baseline ?? null,
      })
    : await runPrepared(options, services, {
        ...{ run, resumed, prepared: ready, recorder: store, budgetUsd, calibrationOf },
        hooks:
          project.config.hooks === undefined
            ? {}
            : await (await import('../../scenario/code/load-hooks.ts')).loadHooks(project),
        judgeSummaries: baseline && ((own: ScenarioSummary[]) => baseline.judge(store, run.run_id, own)),
      });
  const stored = (await store.getRun(run.run_id)) ?? run;
  const against = (await baseline?.outcome(store, stored)) ?? null;
  const warnings = outcome.warnings.map(projectRedactor(project, env).text);
  const notes = [...onlyNote(chosen, leftOut), ...warnings];
  const planned = (shard ? prepared : []).map(({ scenario }, index) =>
    plannedCases(scenario, { options: run.options, chosen: run.options.cases?.[index] ?? null }),
  );
  const trials = async function* () {
    yield* (await import('../results/open-run.ts')).trialsOf(store, stored);
  };
  return resources.keepFor({ outcome, against, run: stored, store, project, notes, planned, trials });
}

const NO_JUDGES: KnownJudges = { judges: [], uncalibrated: [] };

/** Most runs ask no judge, and load nothing for one. */
function hasJudge(chosen: readonly ChosenEntry[]): boolean {
  return chosen.some(({ loaded }) => loaded.scenario.assertions.some(({ type }) => type === 'judge'));
}

async function openEarlierRun(idOrPrefix: string, openRunStore: (mustExist: boolean) => Promise<Store>) {
  const { findRunToResume, resumedRun } = await import('../selection/resume-run.ts');
  const store = await openRunStore(true);
  return { store, run: await findRunToResume(store, idOrPrefix), resumedRun };
}

/** A scenario that is not run needs neither its adapter nor a model. */
export function skippedScenario(entry: ChosenEntry, project: Project): RunScenario {
  const { scenario, relativeFile, hash } = entry.loaded;
  const { adapter: adapterName, model } = namedCandidate(entry, project);
  return recordedScenario({ scenario, relativeFile, hash, adapterName, model });
}

/** Two candidates that name the same in different ways would be indistinguishable in reports. */
function refuseSameTwice(prepared: readonly DescribedScenario[]): void {
  const seen = new Set<string>();
  for (const { relativeFile, scenario, adapterName, model } of prepared) {
    const key = entryKey({ file: relativeFile, name: scenario.name, adapter: adapterName, model });
    if (seen.has(key)) {
      throw new SalvoError(
        'OPTIONS_INVALID',
        `${relativeFile} would run twice with the adapter ${adapterName} and the model ${model}: leave one of them out.`,
      );
    }
    seen.add(key);
  }
}

/** Runs prepared scenarios with the models of their project. */
export function runPrepared(
  options: Stoppable &
    Pick<RunFilesOptions, 'concurrency' | 'retries'> & {
      onEvent?: ((event: RunEvent) => void) | undefined;
    },
  services: ProjectCalls & Partial<Pick<ProjectModels, 'models' | 'voteCache'>>,
  request: Pick<
    RunRequest,
    'run' | 'resumed' | 'prepared' | 'recorder' | 'budgetUsd' | 'calibrationOf' | 'judgeSummaries' | 'hooks'
  >,
): Promise<RunOutcome> {
  const { project, pricing, retry, outageOf, models, voteCache } = services;
  const { concurrency = project.config.concurrency, stop, abort, onEvent } = options;
  return runScenarios({
    ...request,
    project,
    services: { pricing, retry, maxRetries: options.retries, outageOf, abort },
    judgeServices: { models, voteCache },
    ...{ concurrency, stop, onEvent },
    earlyStop: request.run.options.early_stop,
  });
}

/** The record of a new run. */
export function plannedRun(
  prepared: readonly DescribedScenario[],
  options: Pick<
    PerformRunOptions,
    'trials' | 'seed' | 'recordOnly' | 'allowUnscored' | 'minPassRate' | 'minScore' | 'shard' | 'earlyStop'
  >,
  plan: {
    cases?: (number[] | null)[];
    skipped?: RunScenario[];
    git?: RunRecord['git'];
    /** Hashes of the files of assertions. */
    files?: Record<string, string>;
    agents?: AgentFiles;
  } = {},
): RunRecord {
  return newRun({
    reeval_of: null,
    git: plan.git ?? null,
    options: {
      trials: options.trials ?? null,
      cases: plan.cases?.some((chosen) => chosen !== null) ? plan.cases : null,
      seed: options.seed ?? null,
      record_only: options.recordOnly ?? false,
      allow_unscored: options.allowUnscored ?? false,
      min_pass_rate: options.minPassRate ?? null,
      min_score: options.minScore ?? null,
      ...(options.shard && { shard: options.shard }),
      ...(options.earlyStop && { early_stop: true }),
      ...(isAllCodeRefused() && { no_code: true }),
      ...(plan.files && Object.keys(plan.files).length > 0 && { assertion_files: plan.files }),
      ...(plan.agents && Object.keys(plan.agents).length > 0 && { agent_files: plan.agents }),
    },
    scenarios: [...prepared.map(recordedScenario), ...(plan.skipped ?? [])],
  });
}
