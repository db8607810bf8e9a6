import type { Adapter } from '../adapters/adapter.ts';
import type { AgentFunction } from '../adapters/agent/agent-function.ts';
import { createFunctionAdapter } from '../adapters/agent/module.ts';
import { calledModels, prepareScenario } from '../run/prepare-scenario.ts';
import type { ScenarioSummary } from '../run/run-document.ts';
import type { RunRecord, RunRecorder, StoredTrial } from '../run/run-record.ts';
import type { RunEvent, RunOutcome } from '../run/run-request.ts';
import type { LoadedScenario } from '../scenario/load-scenario.ts';
import {
  type ProjectInput,
  projectFromObject,
  type ScenarioInput,
  scenarioFromObject,
} from '../scenario/scenario-object.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import type { Tool } from '../scenario/schema/scenario-schema.ts';
import type { Trace } from '../trace/trace.ts';
import { isToolFunction, type ToolFunction } from '../trial/tool-mocks.ts';
import type { TrialResult } from '../trial/trial-result.ts';
import { openResources } from './open-resources.ts';
import { projectEnv } from './project-env.ts';
import { openProjectModels } from './project-models.ts';
import { plannedRun, type RunFilesOptions, runPrepared } from './run.ts';

type ToolFields = NonNullable<ScenarioInput['tools']>[number];
type JsonValue = string | number | boolean | null | readonly unknown[] | { readonly [key: string]: unknown };
type MockAnswer = JsonValue | ToolFunction;

/** A tool as a scenario file describes it, whose answers may also be functions of the arguments. */
export interface ToolInput extends Omit<ToolFields, 'mock_response' | 'mock_responses'> {
  mock_response?: MockAnswer | undefined;
  mock_responses?:
    | (Omit<NonNullable<ToolFields['mock_responses']>[number], 'respond'> & { respond?: MockAnswer | undefined })[]
    | undefined;
}

export interface RunScenarioOptions
  extends Omit<
    RunFilesOptions,
    'files' | 'tags' | 'grep' | 'failed' | 'resume' | 'recordOnly' | 'judgeCache' | 'onEvent'
  > {
  /** The fields of a scenario file. `cwd` is the folder that paths in it are relative to. */
  scenario: Omit<ScenarioInput, 'tools'> & { tools?: readonly ToolInput[] | undefined };
  /** The agent under test, as a function or an adapter. If not given, the scenario's `adapter` is called. */
  agent?: AgentFunction | Adapter | undefined;
  /** What salvo.yaml would say: adapters, the judge, prices. No file is read. */
  settings?: ProjectInput | undefined;
  onEvent?: ((event: RunEvent) => void) | undefined;
}

/** The trials of one scenario with their traces, and everything that was computed from them. */
export interface ScenarioRun extends Pick<RunOutcome, 'runId' | 'verdict' | 'exitCode'> {
  createdAt: string;
  seed: number | null;
  /** Pass rate, intervals, costs and failures, as reports show them. */
  summary: ScenarioSummary;
  trials: (TrialResult & { trace: Trace | null })[];
}

/** The name of an agent that was passed in, in reports. */
const AGENT = 'agent';

/** Runs one scenario N times and scores it. No file is read, and nothing is stored. */
export async function runScenario(options: RunScenarioOptions): Promise<ScenarioRun> {
  const project = projectFromObject(options.settings ?? {}, options.cwd ?? process.cwd());
  const { scenarioRun } = await runScenarioAt(options, { project, openRecorder: async () => createMemoryRecorder() });
  return scenarioRun;
}

/** Where a scenario that is an object belongs. */
export interface ScenarioPlace {
  project: Project;
  /** Called once everything is checked: wrong input must not leave an empty store behind. */
  openRecorder: () => Promise<RunRecorder>;
  /** The file that the scenario is written in, which paths in it are relative to. If not given, its folder is the project's. */
  file?: string | undefined;
  /** The scenario of a file, instead of `scenario` of the options. */
  loaded?: LoadedScenario | undefined;
  judgeCache?: boolean | undefined;
}

/** A run of one scenario, with what is needed to look at its trials again. */
export interface RunAtPlace {
  scenarioRun: ScenarioRun;
  record: RunRecord;
  file: string;
}

/** Runs one scenario as part of a project. */
export async function runScenarioAt(options: RunScenarioOptions, place: ScenarioPlace): Promise<RunAtPlace> {
  const { env = process.env, agent } = options;
  const { project, judgeCache = false } = place;
  const loaded =
    place.loaded ??
    scenarioFromObject(withoutFunctions(options.scenario), { project, agent: agent && AGENT, file: place.file });
  await using resources = openResources();
  const services = resources.use(
    await openProjectModels({ project, env, retries: options.retries, cache: judgeCache }),
  );
  const scenario = prepareScenario(loaded, {
    project,
    env: projectEnv(project, env),
    adapter: agent ? AGENT : options.adapter,
    agent: typeof agent === 'function' ? createFunctionAdapter(agent) : agent,
    model: options.model,
    limiterOf: services.limiterOf,
    withFunctions: (tools) => (place.loaded ? [...tools] : withFunctions(tools, options.scenario.tools)),
  });
  const prepared = [scenario];
  // An adapter that was passed in belongs to the caller.
  if (!agent) resources.defer(async () => scenario.adapter.close?.());
  await scenario.adapter.prepare?.();
  const budgetUsd = await services.budgetUsd(options.budgetUsd, calledModels({ prepared, project }));
  const run = plannedRun(prepared, options);
  const recorder = withOriginalTraces(await place.openRecorder());
  const outcome = await runPrepared(options, services, { run, resumed: false, prepared, recorder, budgetUsd });
  const trials: ScenarioRun['trials'] = [];
  for await (const { trace_id, result } of recorder.trials(run.run_id)) {
    if (result) trials.push({ ...result, trace: trace_id === null ? null : await recorder.getTrace(trace_id) });
  }
  const [result] = outcome.scenarios;
  if (!result) throw new Error('A run of one scenario has no result.');
  const { runId, verdict, exitCode } = outcome;
  const scenarioRun = {
    runId,
    createdAt: run.created_at,
    seed: run.options.seed,
    verdict,
    exitCode,
    summary: result.summary,
    trials,
  };
  return { scenarioRun, record: run, file: loaded.file };
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
    getTrace: async (traceId) => originals.get(traceId) ?? recorder.getTrace(traceId),
  };
}

/** The scenario as checks, its hash and the record of the run see it: they know functions by their names only. */
function withoutFunctions({ tools, ...scenario }: RunScenarioOptions['scenario']): ScenarioInput {
  if (tools === undefined) return scenario;
  const describe = (answer: unknown): unknown => (isToolFunction(answer) ? `[function ${answer.name}]` : answer);
  return {
    ...scenario,
    // Only what is set: a tool with both keys is refused, even if one is undefined.
    tools: tools.map(({ mock_response, mock_responses, ...tool }) => ({
      ...tool,
      ...(mock_response !== undefined && { mock_response: describe(mock_response) }),
      ...(mock_responses && {
        mock_responses: mock_responses.map(({ respond, ...mock }) => ({
          ...mock,
          ...(respond !== undefined && { respond: describe(respond) }),
        })),
      }),
    })),
  };
}

/** Puts the functions back. Checks keep the order of tools and mocks. */
function withFunctions(tools: readonly Tool[], given: readonly ToolInput[] = []): Tool[] {
  return tools.map((tool, index) => {
    const { mock_response, mock_responses } = given[index] ?? {};
    return {
      ...tool,
      ...(isToolFunction(mock_response) && { mock_response }),
      ...(tool.mock_responses && {
        mock_responses: tool.mock_responses.map((mock, position) => {
          const respond = mock_responses?.[position]?.respond;
          return isToolFunction(respond) ? { ...mock, respond } : mock;
        }),
      }),
    };
  });
}

/** Keeps one run in memory, for callers that want its result and no store. */
export function createMemoryRecorder(): RunRecorder {
  const runs = new Map<string, RunRecord>();
  const traces = new Map<string, Trace>();
  const trials = new Map<string, StoredTrial>();
  return {
    claim: async () => ({ lost: new AbortController().signal, [Symbol.asyncDispose]: async () => {} }),
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
