import type { DescribedScenario } from '../../run/conduct/prepare-scenario.ts';
import { newRun, recordedScenario } from '../../run/record/new-run.ts';
import type { RunRecord, RunScenario } from '../../run/record/run-record.ts';
import { loadProject, loadSettings } from '../../scenario/load-project.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isAllCodeRefused, refuseAllCode } from '../../text/modules/permitted-code.ts';
import type { OpenResources } from '../../text/open-resources.ts';
import type { openAgainst } from '../compare/against.ts';
import { hasWorkerAccess, openProjectStore, withPassedOn } from '../project/open-project.ts';
import {
  type ChosenEntries,
  type ChosenEntry,
  chooseEntries,
  type EntrySelection,
  entriesOfRun,
  namedCandidate,
} from '../selection/choose-entries.ts';
import { refuseOnlyInCi } from '../selection/select-scenarios.ts';
import type { CodeOfRun } from './code-of-run.ts';
import { gitState } from './git-state.ts';
import type { PerformRunOptions } from './run-options.ts';

/** What will be run, where and as which run. Nothing is prepared or written yet. */
export type RunPlan = Awaited<ReturnType<typeof planRun>>;

/** What differs between a new run, one that repeats what failed, and one that goes on. */
interface Origin {
  project: Project;
  /** The run that goes on; null for a new one. */
  earlier: RunRecord | null;
  /** Open if an earlier run was read. */
  store: Store | null;
  choose(selection: EntrySelection): Promise<ChosenEntries>;
  record(prepared: readonly DescribedScenario[], state: RunState): RunRecord;
}

interface RunState extends CodeOfRun {
  cassette?: RunRecord['options']['cassette'];
  toolCassettes?: RunRecord['options']['tool_cassettes'];
  git: RunRecord['git'];
  entries: ChosenEntries;
}

/** Reads the project and chooses what is run. What it opens is closed with `resources`. */
export async function planRun(options: PerformRunOptions, resources: OpenResources) {
  const { cwd = process.cwd(), env = process.env, shard, files, tags } = options;
  const openStore = async (settings: Project, mustExist: boolean): Promise<Store> => {
    const store = await openProjectStore(settings, { env, mustExist, patience: options.patience });
    return resources.adopt(store, () => store.close());
  };
  if (options.resume !== undefined && options.failed) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      '{option:resume} completes a run and {option:failed} starts a new one: give only one of them.',
    );
  }
  const origin = await (options.resume === undefined
    ? newOrigin(options, { cwd, openStore })
    : resumedOrigin(options.resume, options, { cwd, openStore }));
  const git = gitState(origin.project.root);
  const { earlier } = origin;
  const settings = shard ? (await import('./share-of-limits.ts')).shareOfLimits(origin.project, shard) : origin.project;
  const baseline = await openBaseline(options, { project: settings, cwd, env, earlier: earlier ?? undefined });
  const entries = await origin.choose({ options, project: settings, cwd, files, tags });
  const project = await withPassedOn(
    settings,
    entries.chosen.map(({ loaded }) => loaded),
  );
  if (isAllCodeRefused()) {
    const { refuseCodeOfAdapter } = await import('../../scenario/refused-adapters.ts');
    for (const { adapter, loaded } of entries.chosen) refuseCodeOfAdapter(adapter ?? loaded.scenario.adapter, project);
  }
  await refuseOnlyInCi([...entries.chosen, ...entries.skipped], { project, env });
  const byWorkers = !shard && hasWorkerAccess(project, env);
  const { detach, local, labels } = options.workers ?? {};
  if (!byWorkers && (detach || local !== undefined || labels?.length)) {
    await (await import('../work/workers-door.ts')).refuseWithoutWorkers(options.workers, byWorkers);
  }
  return {
    // The project has the share of its limits that a shard has.
    ...{ options, cwd, env, project, earlier, baseline, byWorkers, ...entries },
    recordOnly: (earlier ? earlier.options.record_only : options.recordOnly) ?? false,
    // Workers make adapters ready where they are, with their own keys. Those that are started here have the same keys.
    preparesHere: !byWorkers || Boolean(options.workers?.local),
    /** The limit that was asked for; of a shard, its share. */
    budgetUsd: options.budgetUsd === undefined ? undefined : options.budgetUsd / (shard?.count ?? 1),
    /** The record of the run, new or as it goes on. */
    async record(prepared: readonly DescribedScenario[], code: Omit<RunState, 'git' | 'entries'>): Promise<RunRecord> {
      const run = origin.record(prepared, { ...code, entries, git: await git });
      return (await baseline?.plan(run)) ?? run;
    },
    /** Opens the store, unless it is open because an earlier run was read, and knows all secrets. */
    openStore: async () => (project.passedOn ? null : origin.store) ?? (await openStore(project, false)),
  };
}

interface OriginPlace {
  cwd: string;
  openStore: (settings: Project, mustExist: boolean) => Promise<Store>;
}

async function newOrigin(options: PerformRunOptions, { cwd, openStore }: OriginPlace): Promise<Origin> {
  const project = await loadProject(cwd);
  const store = options.failed ? await openStore(project, true) : null;
  const failed = store ? await (await import('../selection/failed-cases.ts')).failedInLatestRun(store) : undefined;
  const { grep, cases, holdout } = options;
  return {
    ...{ project, store, earlier: null },
    choose: (selection) => chooseEntries({ ...selection, grep, cases, holdout, failed }),
    record: (prepared, { entries: { chosen, skipped, faults }, ...state }) =>
      plannedRun(prepared, options, {
        ...state,
        faults,
        cases: [...chosen, ...skipped].map((each) => each.cases),
        skipped: skipped.map((each) => skippedScenario(each, project)),
      }),
  };
}

async function resumedOrigin(
  idOrPrefix: string,
  options: PerformRunOptions,
  { cwd, openStore }: OriginPlace,
): Promise<Origin> {
  const { findRunToResume, resumedRun } = await import('../selection/resume-run.ts');
  const store = await openStore(await loadSettings(cwd), true);
  const earlier = await findRunToResume(store, idOrPrefix);
  // Before plugins are loaded: the run says whether they may be executed.
  if (earlier.options.no_code) refuseAllCode();
  return {
    ...{ project: await loadProject(cwd), store, earlier },
    choose: (selection) => entriesOfRun(earlier, selection),
    record: (prepared, state) => resumedRun(earlier, prepared, { ...options, ...state }),
  };
}

/** A scenario that is not run needs neither its adapter nor a model. */
export function skippedScenario(entry: ChosenEntry, project: Project): RunScenario {
  const { scenario, relativeFile, hash } = entry.loaded;
  const { adapter: adapterName, model } = namedCandidate(entry, project);
  return recordedScenario({ scenario, relativeFile, hash, adapterName, model });
}

/** The record of a new run. */
export function plannedRun(
  prepared: readonly DescribedScenario[],
  options: Pick<
    PerformRunOptions,
    'trials' | 'seed' | 'recordOnly' | 'allowUnscored' | 'minPassRate' | 'minScore' | 'shard' | 'earlyStop' | 'look'
  >,
  plan: {
    cases?: (number[] | null)[];
    skipped?: RunScenario[];
    git?: RunRecord['git'];
    cassette?: RunRecord['options']['cassette'];
    toolCassettes?: RunRecord['options']['tool_cassettes'];
    faults?: RunRecord['options']['faults'];
  } & Partial<CodeOfRun> = {},
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
      ...(options.look && { look: true }),
      ...(isAllCodeRefused() && { no_code: true }),
      ...(plan.cassette && { cassette: plan.cassette }),
      ...(plan.toolCassettes && { tool_cassettes: plan.toolCassettes }),
      ...(plan.faults && { faults: plan.faults }),
      ...(plan.files && Object.keys(plan.files).length > 0 && { assertion_files: plan.files }),
      ...(plan.agents && Object.keys(plan.agents).length > 0 && { agent_files: plan.agents }),
    },
    scenarios: [...prepared.map(recordedScenario), ...(plan.skipped ?? [])],
  });
}

/** Whether a new run may record or replay the calls of models. */
export function mayHaveCassettes(
  { config }: Project,
  { modelCassette, cassettes }: Pick<PerformRunOptions, 'modelCassette' | 'cassettes'>,
): boolean {
  const ofAdapters = Object.values(config.adapters).some((each) => 'cassette' in each);
  return modelCassette !== undefined || cassettes !== undefined || ofAdapters;
}

/** Whether tools of a run may have recorded answers. */
export function mayHaveToolCassettes(entries: readonly { loaded: LoadedScenario }[]): boolean {
  return entries.some(({ loaded }) => loaded.scenario.tools.some(({ cassette }) => cassette));
}

/** Loaded only for a run that is compared with a baseline; null for any other. */
export async function openBaseline(...given: Parameters<typeof openAgainst>) {
  const [{ against, maxDrop, undecided, gate, until, maxTrials, evidence }, { earlier }] = given;
  const asked = [against, maxDrop, undecided, gate, until, maxTrials, evidence];
  const isAsked = asked.some((each) => each !== undefined) || earlier?.options.against;
  return isAsked ? await (await import('../compare/against.ts')).openAgainst(...given) : null;
}
