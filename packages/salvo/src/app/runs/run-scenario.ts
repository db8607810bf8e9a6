import type { Adapter } from '../../adapters/adapter.ts';
import type { AgentFunction } from '../../adapters/agent/agent-function.ts';
import { createFunctionAdapter } from '../../adapters/lazy-adapter.ts';
import {
  calledModels,
  describeScenario,
  type Preparation,
  prepareScenario,
} from '../../run/conduct/prepare-scenario.ts';
import type { RunEvent, RunOutcome, RunRequest } from '../../run/conduct/run-request.ts';
import { whySkipped } from '../../run/conduct/skipped-scenario.ts';
import { plannedCases } from '../../run/record/planned-cases.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord, RunRecorder, StoredTrial } from '../../run/record/run-record.ts';
import type { ScenarioDefinition } from '../../scenario/code/scenario-definition.ts';
import { AGENT } from '../../scenario/code/scenario-functions.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import { type ProjectInput, projectFromObject, scenarioFromObject } from '../../scenario/scenario-object.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { openResources } from '../../text/open-resources.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { assertionFiles } from '../code/assertion-files.ts';
import { withPassedOn } from '../project/open-project.ts';
import { projectEnv } from '../project/project-env.ts';
import { openProjectModels } from '../project/project-models.ts';
import { chosenUser } from '../selection/candidates.ts';
import type { OpenCassettes } from './cassettes.ts';
import type { CassetteChoice } from './choose-cassettes.ts';
import { mayHaveCassettes, mayHaveToolCassettes, plannedRun, skippedScenario } from './plan-run.ts';
import { limitFor } from './prepare-run.ts';
import { runPrepared } from './run.ts';
import type { RunFilesOptions } from './run-options.ts';
import type { OpenToolCassettes } from './tool-cassettes.ts';

export interface RunScenarioOptions
  extends Omit<
    RunFilesOptions,
    | 'files'
    | 'tags'
    | 'grep'
    | 'cases'
    | 'failed'
    | 'models'
    | 'adapters'
    | 'resume'
    | 'recordOnly'
    | 'judgeCache'
    | 'onEvent'
  > {
  /** The fields of a scenario file, or what `defineScenario` returns. Paths in it are relative to `cwd`. */
  scenario: ScenarioDefinition;
  /** The agent under test, as a function or an adapter. If not given, the scenario's `agent` or `adapter` is called. */
  agent?: AgentFunction | Adapter | undefined;
  /** What salvo.yaml would say: adapters, the judge, prices. No file is read. */
  settings?: ProjectInput | undefined;
  onEvent?: ((event: RunEvent) => void) | undefined;
}

/** The trials of one scenario with their traces, and everything that was computed from them. */
export interface ScenarioRun extends Pick<RunOutcome, 'runId' | 'verdict' | 'exitCode' | 'warnings'> {
  createdAt: string;
  seed: number | null;
  /** Pass rate, intervals, costs and failures, as reports show them. */
  summary: ScenarioSummary;
  trials: (TrialResult & { trace: Trace | null })[];
}

/** Runs one scenario N times and scores it. No file is read, and nothing is stored. */
export async function runScenario(options: RunScenarioOptions): Promise<ScenarioRun> {
  const { agent } = options;
  const project = projectFromObject(options.settings ?? {}, options.cwd ?? process.cwd());
  const loaded = scenarioFromObject(options.scenario, { project, agent: agent && AGENT });
  const { run } = await runLoaded(options, {
    project,
    loaded,
    openRecorder: async () => createMemoryRecorder(),
    judgeCache: false,
  });
  return run;
}

/** A scenario that is ready to run, and where its results go. */
export interface LoadedPlace {
  project: Project;
  loaded: LoadedScenario;
  /** Called once everything is checked: wrong input must not leave an empty store behind. */
  openRecorder: () => Promise<RunRecorder>;
  judgeCache: boolean;
  hooks?: RunRequest['hooks'];
  git?: RunRecord['git'];
}

/** Runs one loaded scenario N times. `record` is what the run began with, with the texts that a store redacts. */
export async function runLoaded(
  options: Omit<RunScenarioOptions, 'scenario' | 'settings'>,
  { project: settings, loaded, openRecorder, judgeCache, hooks, git = null }: LoadedPlace,
): Promise<{ run: ScenarioRun; record: RunRecord }> {
  const project = await withPassedOn(settings, [loaded]);
  const { env = process.env, agent } = options;
  await using resources = openResources();
  const isSkipped = whySkipped(loaded.scenario, null) !== null;
  const preparation = {
    project,
    env: projectEnv(project, env),
    adapter: agent ? AGENT : options.adapter,
    agent: typeof agent === 'function' ? createFunctionAdapter(agent) : agent,
    model: options.model,
    user: chosenUser(options, { project, cwd: options.cwd ?? process.cwd() }),
  };
  const cassettes = isSkipped ? null : await cassettesOf(loaded, { options, preparation });
  const toolCassettes = isSkipped ? null : await toolCassettesOf(loaded, { options, preparation });
  const services = resources.use(
    await openProjectModels({ project, env, retries: options.retries, cache: judgeCache, cassettes }),
  );
  if (isSkipped) {
    const record = plannedRun([], options, { skipped: [skippedScenario({ loaded, cases: null }, project)], git });
    const recorder = await openRecorder();
    const request = { run: record, resumed: false, prepared: [], recorder, budgetUsd: null };
    const outcome = await runPrepared(options, services, request);
    return { run: await scenarioRun(record, recorder, outcome), record };
  }
  const scenario = await prepareScenario(loaded, {
    ...{ ...preparation, limiterOf: services.limiterOf, cassettes, toolCassetteOf: toolCassettes?.cassetteOf },
  });
  const prepared = [scenario];
  // An adapter that was passed in belongs to the caller.
  if (!agent) resources.defer(async () => scenario.adapter.close?.());
  await scenario.adapter.prepare?.();
  const models = await calledModels({ prepared, project });
  const budgetUsd = await limitFor(models, options.budgetUsd, { services, cassettes });
  const files = assertionFiles([loaded], project);
  const record = plannedRun(prepared, options, {
    ...{ git, files, cassette: cassettes?.record, toolCassettes: toolCassettes?.record },
  });
  const recorder = withOriginalTraces(await openRecorder());
  const request = { run: record, resumed: false, prepared, recorder, budgetUsd, hooks };
  const outcome = await runPrepared(options, services, request);
  outcome.warnings.push(...((await cassettes?.finish()) ?? []), ...(toolCassettes?.finish(outcome) ?? []));
  return { run: await scenarioRun(record, recorder, outcome), record };
}

/** What decides which cassettes a run of one scenario has. */
interface CassetteSettings {
  options: Omit<RunScenarioOptions, 'scenario'>;
  preparation: Omit<Preparation, 'limiterOf'>;
}

/** Loads nothing for a run without a cassette. */
async function cassettesOf(
  loaded: LoadedScenario,
  { options, preparation }: CassetteSettings,
): Promise<OpenCassettes | null> {
  const { project, agent } = preparation;
  if (!mayHaveCassettes(project, options)) return null;
  const { openCassettes } = await import('./cassettes.ts');
  const { trials = null } = options;
  const described = describeScenario(loaded, preparation);
  const cases = plannedCases(described.scenario, { options: { trials }, chosen: null });
  const run = { ...choiceOf(options, project), hasToolCassettes: mayHaveToolCassettes([{ loaded }]) };
  return openCassettes({ ...run, scenarios: [{ described, cases, agent }] });
}

/** Loads nothing for a run whose tools have no cassette. */
async function toolCassettesOf(
  loaded: LoadedScenario,
  { options, preparation }: CassetteSettings,
): Promise<OpenToolCassettes | null> {
  if (!mayHaveToolCassettes([{ loaded }])) return null;
  const { openToolCassettes } = await import('./tool-cassettes.ts');
  // Several tests may have one cassette, and each makes a part of its calls.
  return openToolCassettes({ ...choiceOf(options, preparation.project), scenarios: [loaded], isWhole: false });
}

function choiceOf(options: Omit<RunScenarioOptions, 'scenario'>, project: Project): CassetteChoice {
  const { cwd = process.cwd(), env = process.env } = options;
  return { project, cwd, env, options, earlier: null, byWorkers: false, addsToOwn: true };
}

/** Gives back traces as the agent made them: a store gives them back without secrets. */
function withOriginalTraces(recorder: RunRecorder): RunRecorder {
  const originals = new Map<string, Trace>();
  return {
    ...recorder,
    async saveTrace(trace, trial) {
      const traceId = await recorder.saveTrace(trace, trial);
      originals.set(traceId, trace);
      return traceId;
    },
    saveFinished: undefined,
    getTrace: async (traceId) => originals.get(traceId) ?? recorder.getTrace(traceId),
  };
}

async function scenarioRun(run: RunRecord, recorder: RunRecorder, outcome: RunOutcome): Promise<ScenarioRun> {
  const trials: ScenarioRun['trials'] = [];
  for await (const { trace_id, result } of recorder.trials(run.run_id)) {
    if (result) trials.push({ ...result, trace: trace_id === null ? null : await recorder.getTrace(trace_id) });
  }
  const summary = (await recorder.getRun(run.run_id))?.scenarios[0]?.summary;
  if (!summary) throw new Error('A run of one scenario has no result.');
  const { runId, exitCode, warnings } = outcome;
  const verdict = summary.verdict === 'SKIPPED' ? 'SKIPPED' : outcome.verdict;
  return {
    runId,
    createdAt: run.created_at,
    seed: run.options.seed,
    verdict,
    exitCode,
    summary,
    trials,
    warnings,
  };
}

/** Keeps one run in memory, for callers that want its result and no store. */
export function createMemoryRecorder(): RunRecorder {
  const runs = new Map<string, RunRecord>();
  const traces = new Map<string, Trace>();
  const trials = new Map<string, StoredTrial>();
  const never = new AbortController().signal;
  return {
    claim: async () => ({ lost: never, stop: never, abort: never, [Symbol.asyncDispose]: async () => {} }),
    createRun: async (run) => void runs.set(run.run_id, run),
    async updateRun(runId, { summaries, ...change }) {
      const run = runs.get(runId);
      if (!run) return;
      const scenarios = run.scenarios.map((scenario, index) => ({
        ...scenario,
        summary: summaries?.[index] ?? scenario.summary,
      }));
      runs.set(runId, { ...run, ...change, scenarios });
    },
    getRun: async (runId) => runs.get(runId) ?? null,
    async saveTrace(trace, trial) {
      const traceId = `trace-${traces.size + 1}`;
      traces.set(traceId, trace);
      if (trial) await this.saveTrial({ ...trial, trace_id: traceId, result: null });
      return traceId;
    },
    getTrace: async (traceId) => traces.get(traceId) ?? null,
    async saveTrial(trial) {
      trials.set(`${trial.case_index} ${trial.trial_number}`, trial);
      return trial;
    },
    async *trials() {
      yield* [...trials.values()].sort((a, b) => a.case_index - b.case_index || a.trial_number - b.trial_number);
    },
  };
}
