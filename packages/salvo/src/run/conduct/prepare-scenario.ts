import type { Adapter } from '../../adapters/adapter.ts';
import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import { createFunctionAdapter } from '../../adapters/lazy-adapter.ts';
import { adapterType, getAdapter } from '../../adapters/registry.ts';
import { namedCases } from '../../evaluators/assertion-ids.ts';
import { packageOf } from '../../extension/load-extension.ts';
import type { ScenarioJudge } from '../../judge/scenario-judges.ts';
import type { CalledModel } from '../../models/budget/unknown-prices.ts';
import type { LimiterOf } from '../../models/call/call-services.ts';
import type { RunCassettes } from '../../models/cassette/run-cassettes.ts';
import { everyAssertion } from '../../scenario/cases/case-fields.ts';
import { AGENT, NO_HOOKS } from '../../scenario/code/scenario-functions.ts';
import { DiagnosticsError } from '../../scenario/diagnostics/diagnostics-error.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { PreparedCase, PreparedScenario } from '../../trial/run-trial.ts';
import { toolsByCase } from '../../trial/tools/scenario-tools.ts';
import type { ToolCassetteOf } from '../../trial/tools/tools-place.ts';
import { modelsOfUsers, type UserChoice, withUserModel } from '../../trial/user/resolve-user.ts';
import { withProjectGates } from '../verdict/gates.ts';

export interface Preparation {
  project: Project;
  env: Record<string, string | undefined>;
  /** Instead of what the scenario and salvo.yaml say. */
  adapter?: string | undefined;
  /** An agent that the caller made, instead of an adapter that is looked up by its name. */
  agent?: Adapter | undefined;
  /** Instead of what the scenario and salvo.yaml say. */
  model?: string | undefined;
  /** What plays the user, instead of what the scenario and salvo.yaml say. */
  user?: UserChoice | undefined;
  /** Traces are only recorded, so the judges need not be ready. */
  recordOnly?: boolean | undefined;
  /** Shared with the judges, which may call the same adapters. */
  limiterOf: LimiterOf;
  cassettes?: RunCassettes | null | undefined;
  /** The cassettes of tools. Missing if all tools are called as they are. */
  toolCassetteOf?: ToolCassetteOf | undefined;
}

/** A scenario and what it runs with, before anything is made ready for it here. */
export type DescribedScenario = Pick<
  PreparedScenario,
  'scenario' | 'file' | 'relativeFile' | 'hash' | 'adapterName' | 'model'
>;

/** Enough for a run whose trials others perform. */
export function describeScenario(
  { scenario, file, relativeFile, hash }: LoadedScenario,
  options: Pick<Preparation, 'project' | 'env' | 'adapter' | 'model' | 'user'>,
): DescribedScenario {
  const { root, config } = options.project;
  const adapterName = options.adapter ?? scenario.adapter ?? config.default_adapter;
  const context = { root, adapters: config.adapters, env: options.env };
  return {
    scenario: withUserModel(withProjectGates(scenario, config), config, options.user),
    file,
    relativeFile,
    hash,
    adapterName,
    model:
      options.model ??
      scenario.model ??
      config.default_model ??
      modelWithoutName({ type: adapterType(adapterName, context), adapterName, file: relativeFile }),
  };
}

/** A scenario with data has no trials of its own. */
const NO_TOOLS = { tools: [] };

/** Makes a scenario ready to run: its adapter with limits, and its tools. Throws if a trial could not be scored. */
export async function prepareScenario(loaded: LoadedScenario, options: Preparation): Promise<PreparedScenario> {
  const { scenario, file, relativeFile, functions: own } = loaded;
  const { project, env, cassettes } = options;
  const { root, config } = project;
  const adapterName = options.adapter ?? scenario.adapter ?? config.default_adapter;
  // An agent or an adapter that the caller chose takes the place of the scenario's own agent.
  const ownAgent = options.agent === undefined && adapterName === AGENT ? (own?.agent ?? null) : null;
  const agent =
    options.agent ?? (ownAgent && createFunctionAdapter((task) => ownAgent({ ...task, row: {}, hooks: NO_HOOKS })));
  const functions = own && { ...own, agent: ownAgent };
  const context: AdapterContext = { root, adapters: config.adapters, env, script: scenario.script };
  if (scenario.attached) {
    const { refuseFilesOfScenario } = await import('./refuse-files.ts');
    const type = agent ? undefined : adapterType(adapterName, context);
    refuseFilesOfScenario({ scenario, adapterName, type, adapters: config.adapters, file: relativeFile });
  }
  // A script is always ready, and so are recorded answers. An agent runs also if those of its model are recorded.
  const isRecorded = () => cassettes?.isReplayed(adapterName) && !getAdapter(adapterName, context).observes;
  if (!agent && adapterType(adapterName, context) !== 'scripted' && !isRecorded()) {
    const { checkAdapterReady } = await import('../../adapters/adapter-ready.ts');
    checkAdapterReady(adapterName, { ...context, file: relativeFile });
  }
  const described = describeScenario(loaded, options);
  const recorded = described.scenario;
  await refuseIfNotReady(modelsOfUsers(recorded), { file: relativeFile, context, cassettes }, 'user');
  if (!options.recordOnly) {
    await refuseIfJudgesNotReady({ scenario, file: relativeFile, project, context, cassettes });
    await refuseUnreadableFiles({ scenario, file, project });
  }
  const toolsOf = await toolsByCase(loaded, { root, env, cassetteOf: options.toolCassetteOf });
  const isDefaultModel = scenario.model === undefined && described.model === config.default_model;
  const common = { ...described, env, isDefaultModel, functions, limiter: options.limiterOf(adapterName) };
  const made = agent ?? getAdapter(adapterName, context);
  const shared: PreparedCase = {
    ...common,
    scenario: recorded,
    adapter: cassettes?.agent(adapterName, made) ?? made,
    tools: toolsOf(scenario.data === undefined ? scenario : NO_TOOLS),
  };
  const cases = namedCases(recorded);
  return {
    ...shared,
    cases,
    caseOf(index) {
      if (scenario.data === undefined) return shared;
      const scenarioOfCase = cases.scenarioOf(index);
      const hasOwnScript = scenarioOfCase.script !== scenario.script && !agent;
      return {
        ...common,
        scenario: scenarioOfCase,
        adapter: hasOwnScript ? getAdapter(adapterName, { ...context, script: scenarioOfCase.script }) : shared.adapter,
        tools: toolsOf(scenarioOfCase),
      };
    },
  };
}

/** Throws if a judge of the scenario, or a model that embeds, cannot be called. */
export async function refuseIfJudgesNotReady(options: {
  scenario: Scenario;
  file: string;
  project: Project;
  context: AdapterContext;
  cassettes?: RunCassettes | null | undefined;
}): Promise<void> {
  const { scenario, project } = options;
  const judges = (await judgesOf(scenario, project)).flatMap((each) => each.judges);
  await refuseIfNotReady([...judges, ...(await embeddersOf(scenario, project))], options, 'judge');
}

async function refuseIfNotReady(
  asked: readonly { adapter: string }[],
  place: { file: string; context: AdapterContext; cassettes?: RunCassettes | null | undefined },
  askedAs: 'judge' | 'user',
): Promise<void> {
  if (asked.length === 0) return;
  const { checkAdapterReady } = await import('../../adapters/adapter-ready.ts');
  for (const { adapter } of asked) {
    if (place.cassettes?.isReplayed(adapter)) continue;
    checkAdapterReady(adapter, { ...place.context, file: place.file, askedAs });
  }
}

/** Throws if something that an assertion needs cannot be read, because every trial would be unscored. */
export async function refuseUnreadableFiles(
  scenario: Pick<LoadedScenario, 'scenario' | 'file'> & { project: Project },
): Promise<void> {
  if (!everyAssertion(scenario.scenario).some(({ type }) => packageOf('assertions', type) !== undefined)) return;
  const { problemsOfPackages } = await import('../../evaluators/assertions-door.ts');
  const problems = await problemsOfPackages(scenario);
  if (problems.length > 0) throw new DiagnosticsError(problems);
}

/** A whole agent chooses its own model and a script needs none, but a provider must be given one. */
function modelWithoutName(options: { type: string | undefined; adapterName: string; file: string }): string {
  if (options.type === 'openai' || options.type === 'anthropic' || options.type === 'ai-sdk') {
    throw new SalvoError(
      'MODEL_MISSING',
      `${options.file}: no model for the adapter "${options.adapterName}". Add \`model:\` to the scenario or \`default_model:\` to salvo.yaml, or use {option:model}.`,
    );
  }
  return nameWithoutModel(options);
}

/** What a run records as the model of an agent that is given none. */
export function nameWithoutModel({ type, adapterName }: { type: string | undefined; adapterName: string }): string {
  return type === 'scripted' ? 'scripted' : adapterName;
}

/** The models that a run is going to call: of its agents, their users and, unless traces are only recorded, of its judges. */
export async function calledModels(options: {
  prepared: readonly DescribedScenario[];
  recordOnly?: boolean | undefined;
  project: Project;
}): Promise<CalledModel[]> {
  const called = options.prepared.map(async ({ adapterName, model, relativeFile: file, scenario }) => {
    const asked = options.recordOnly ? [] : await judgesOf(scenario, options.project);
    const judges = asked.flatMap((each) => each.judges.map((judge) => ({ ...judge, file })));
    const embedders = options.recordOnly ? [] : await embeddersOf(scenario, options.project);
    const users = modelsOfUsers(scenario).map((user) => ({ ...user, file }));
    return [
      { adapter: adapterName, model, file },
      ...users,
      ...judges,
      ...embedders.map((each) => ({ ...each, file })),
    ];
  });
  return (await Promise.all(called)).flat();
}

/** The models that embed texts for assertions. */
async function embeddersOf(scenario: Scenario, { config }: Project) {
  const assertions = everyAssertion(scenario);
  if (!assertions.some(({ type }) => type === 'output_similar')) return [];
  const { embedderOf, isSimilar } = await import('../../evaluators/types/text/output-similar.ts');
  return assertions.filter(isSimilar).map((each) => embedderOf(each, config));
}

/** Most scenarios have no judge, and load nothing for one. */
async function judgesOf(scenario: Scenario, project: Project): Promise<ScenarioJudge[]> {
  if (!everyAssertion(scenario).some(({ type }) => type === 'judge')) return [];
  const { scenarioJudges } = await import('../../judge/scenario-judges.ts');
  return scenarioJudges(scenario, project.config.judge);
}
