import { adapterSecrets } from '../adapters/adapter-secrets.ts';
import { adapterType } from '../adapters/registry.ts';
import { calledModels } from '../models/called-models.ts';
import { openJudging } from '../models/model-services.ts';
import { refuseUnknownPrices } from '../models/unknown-prices.ts';
import { refuseIfAtWork, thisProcess } from '../queue/owner.ts';
import { calibrationLookup, neverCalibrated } from '../run/judge-calibrations.ts';
import { type JudgeInUse, judgesInUse } from '../run/judges-in-use.ts';
import { newRun } from '../run/new-run.ts';
import { prepareScenarios } from '../run/prepare-scenario.ts';
import type { RunRecord } from '../run/run-record.ts';
import { type RunEvent, type RunOutcome, runScenarios } from '../run/run-scenarios.ts';
import { DiagnosticsError } from '../scenario/diagnostics/diagnostic.ts';
import { findScenarioFiles } from '../scenario/find-scenario-files.ts';
import { loadProject } from '../scenario/load-project.ts';
import { type LoadedScenario, loadScenario } from '../scenario/load-scenario.ts';
import { matchesTags } from '../scenario/matches-tags.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { openStore } from '../store/open-store.ts';
import { resolveRunId } from '../store/resolve-id.ts';
import type { Store } from '../store/store.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { PreparedScenario } from '../trial/run-trial.ts';
import { openResources } from './open-resources.ts';

export interface RunFilesOptions {
  /** Files, folders or globs; the project's `scenarios_dir` when empty. */
  files?: string[];
  cwd?: string;
  env?: Record<string, string | undefined>;
  trials?: number | undefined;
  concurrency?: number | undefined;
  tags?: string[];
  adapter?: string | undefined;
  model?: string | undefined;
  seed?: number | undefined;
  budgetUsd?: number | undefined;
  earlyStop?: boolean;
  /** A run to complete: its id, the beginning of it, or `latest`. */
  resume?: string | undefined;
  recordOnly?: boolean;
  allowUnscored?: boolean;
  minPassRate?: number | undefined;
  retries?: number | undefined;
  /** False: every judge's vote is bought anew, whatever was paid for before. */
  judgeCache?: boolean | undefined;
  /** Aborted: start no further trial. */
  stop?: AbortSignal;
  /** Aborted: leave what is under way, too. */
  abort?: AbortSignal;
  /** Told once, before the first trial. `uncalibrated` are judges that were never compared with people. */
  onStart?: (start: { run: RunRecord; loaded: LoadedScenario[]; uncalibrated: JudgeInUse[] }) => void;
  onEvent?: (event: RunEvent) => void;
}

/** What a run leaves behind; the store is open, for reports that read the trials. Dispose of it when done. */
export interface FinishedRun extends AsyncDisposable {
  outcome: RunOutcome;
  run: RunRecord;
  store: Store;
  project: Project;
}

export const DEFAULT_TRIALS = 3;

/** The whole way from scenario files to a stored run with a verdict. */
export async function runFiles(options: RunFilesOptions = {}): Promise<FinishedRun> {
  const { cwd = process.cwd(), env = process.env } = options;
  const project = await loadProject(cwd);
  await using resources = openResources();
  const { adapters } = project.config;
  const open = async (): Promise<Store> =>
    resources.adopt(
      await openStore(project, { secrets: adapterSecrets({ adapters, env }), mustExist: options.resume !== undefined }),
      (opened) => opened.close(),
    );
  const earlierStore = options.resume === undefined ? null : await open();
  const earlier = earlierStore ? await earlierRun(earlierStore, options.resume ?? '') : null;
  const loaded = await selectScenarios({ project, cwd, options, earlier });
  const judging = await openJudging({ project, env, retries: options.retries, cache: options.judgeCache });
  const { pricing, retry, models, voteCache } = judging;
  const recordOnly = earlier ? earlier.options.record_only : (options.recordOnly ?? false);
  const prepared = prepareScenarios({
    loaded,
    project,
    env,
    adapter: options.adapter,
    model: options.model,
    recordOnly,
    limiterOf: judging.limiterOf,
  });
  resources.defer(async () => {
    await Promise.all([...prepared.map(({ adapter }) => adapter.close?.()), models.close()]);
  });
  const budgetUsd = options.budgetUsd ?? project.config.budget_usd ?? null;
  if (budgetUsd !== null) {
    await refuseUnknownPrices({
      called: calledModels({ prepared, project, models, recordOnly }),
      pricing,
      typeOf: (name) => adapterType(name, { adapters }),
    });
  }
  const run = earlier
    ? resumedRun(earlier, prepared, options)
    : newRun({
        reeval_of: null,
        options: {
          trials: options.trials ?? DEFAULT_TRIALS,
          seed: options.seed ?? null,
          record_only: recordOnly,
          allow_unscored: options.allowUnscored ?? false,
          min_pass_rate: options.minPassRate ?? null,
        },
        scenarios: prepared.map(({ scenario, relativeFile, adapterName, model, hash }) => ({
          name: scenario.name,
          file: relativeFile,
          adapter: adapterName,
          model,
          scenario_hash: hash,
          scenario,
          summary: null,
        })),
      });
  // Not before: wrong input leaves nothing behind.
  const store = earlierStore ?? (await open());
  const judges = run.options.record_only ? [] : judgesInUse({ scenarios: prepared, project, models });
  const calibrationOf = calibrationLookup(store, judges);
  options.onStart?.({ run, loaded, uncalibrated: await neverCalibrated(judges, calibrationOf) });
  const never = new AbortController().signal;
  const outcome = await runScenarios({
    run,
    resumed: earlier !== null,
    prepared,
    project,
    recorder: store,
    services: { pricing, retry, abort: options.abort ?? never },
    judging: { models, voteCache },
    calibrationOf,
    concurrency: options.concurrency ?? project.config.concurrency,
    budgetUsd,
    earlyStop: options.earlyStop ?? false,
    stop: options.stop ?? never,
    now: () => new Date(),
    onEvent: options.onEvent ?? (() => {}),
  });
  const kept = resources.move();
  return { outcome, run, store, project, [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose]() };
}

async function earlierRun(store: Store, idOrPrefix: string): Promise<RunRecord> {
  const runId = idOrPrefix === 'latest' ? await latestOfAgents(store) : await resolveRunId(store, idOrPrefix);
  const run = await store.getRun(runId);
  if (!run) throw new SalvoError('RUN_UNKNOWN', `There is no run ${runId}.`);
  refuseIfAtWork({ kind: 'run', id: run.run_id, ...run });
  if (run.reeval_of !== null) {
    throw new SalvoError('RUN_IS_REEVAL', `Run ${runId} judged stored traces again: there are no trials to resume.`);
  }
  return run;
}

/** The newest run that called agents: what `reeval` stored since has no trials that could be missing. */
async function latestOfAgents(store: Store): Promise<string> {
  for (const { run_id, reeval_of } of await store.listRuns()) if (reeval_of === null) return run_id;
  return resolveRunId(store, 'latest');
}

/** Loads every file before it complains, so that all problems of all files come at once. */
export async function selectScenarios(selection: {
  project: Project;
  cwd: string;
  options: Pick<RunFilesOptions, 'files' | 'tags'>;
  earlier: RunRecord | null;
}): Promise<LoadedScenario[]> {
  const { project, cwd, options, earlier } = selection;
  const patterns = options.files ?? [];
  const fromRun = patterns.length === 0 && earlier ? earlier.scenarios.map(({ file }) => file) : null;
  const files = fromRun
    ? await findScenarioFiles({ patterns: fromRun, project, cwd: project.root })
    : await findScenarioFiles({ patterns, project, cwd });
  const attempts = await Promise.allSettled(files.map((file) => loadScenario({ file, project })));
  const problems = attempts.flatMap((attempt) => {
    if (attempt.status === 'fulfilled') return [];
    if (attempt.reason instanceof DiagnosticsError) return attempt.reason.diagnostics;
    throw attempt.reason;
  });
  if (problems.length > 0) throw new DiagnosticsError(problems);
  const loaded = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
  const tags = options.tags ?? [];
  const chosen = loaded.filter(({ scenario }) => matchesTags(scenario.tags, tags));
  if (chosen.length === 0) {
    throw new SalvoError(
      'NO_SCENARIOS',
      `None of ${loaded.length} scenarios has the tag ${tags.join(' and ')}. Their tags: ${tagNames(loaded) || 'none'}.`,
    );
  }
  return chosen;
}

/** A run is completed as it was begun: the same scenarios, the same number of trials, the same seed. */
function resumedRun(run: RunRecord, prepared: PreparedScenario[], options: RunFilesOptions): RunRecord {
  const asked: [string, unknown, unknown][] = [
    ['--trials', options.trials, run.options.trials],
    ['--seed', options.seed, run.options.seed],
  ];
  for (const [flag, now, then] of asked) {
    if (now !== undefined && now !== then) {
      throw new SalvoError(
        'RESUME_DIFFERS',
        `Run ${run.run_id} was begun with ${flag} ${then}: resume it without ${flag}, or start a new run.`,
      );
    }
  }
  const differs =
    run.scenarios.length !== prepared.length ||
    run.scenarios.some((then, index) => {
      const now = prepared[index];
      return (
        now === undefined ||
        now.hash !== then.scenario_hash ||
        now.adapterName !== then.adapter ||
        now.model !== then.model
      );
    });
  if (differs) {
    throw new SalvoError(
      'RESUME_DIFFERS',
      `The scenarios are not the ones run ${run.run_id} was begun with (${run.scenarios.map(({ file }) => file).join(', ')}), or have changed since. Undo the change, or start a new run.`,
    );
  }
  return {
    ...run,
    options: {
      ...run.options,
      allow_unscored: options.allowUnscored ?? run.options.allow_unscored,
      min_pass_rate: options.minPassRate ?? run.options.min_pass_rate,
    },
    owner: thisProcess(),
  };
}

function tagNames(loaded: readonly LoadedScenario[]): string {
  const names = loaded.flatMap(({ scenario: { tags = [] } }) =>
    Array.isArray(tags) ? tags : Object.entries(tags).map(([name, value]) => `${name}=${value}`),
  );
  return [...new Set(names)].sort().slice(0, 20).join(', ');
}
