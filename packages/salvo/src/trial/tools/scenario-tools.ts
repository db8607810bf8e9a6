import type { ToolDefinition } from '../../adapters/adapter.ts';
import { withMockFunctions } from '../../scenario/code/scenario-functions.ts';
import { compileJsonSchema } from '../../scenario/compile/json-schema.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Effect, Fault, Tool } from '../../scenario/schema/tool-schema.ts';
import { once } from '../../text/memo.ts';
import { isAgentCall, sameTool } from '../../trace/agent-call.ts';
import { wasExecuted } from '../../trace/tools-seen.ts';
import type { ToolCallRecord } from '../../trace/trace.ts';
import type { LoadedTools } from './loaded-tool.ts';
import { mockedTool, noAnswer, problem } from './tool-mocks.ts';
import type {
  PromptMessages,
  ToolOutcome,
  ToolSource,
  ToolsContext,
  TrialToolSource,
  TrialTools,
} from './tool-source.ts';
import type { LiveTools } from './tools-place.ts';

/** The tools of a scenario, compiled once for all its trials. */
export interface ScenarioTools extends ReturnType<typeof scenarioTools> {
  /** The messages with which a trial begins, if a prompt of a server gives them. */
  beginning?(trial: ToolsContext, signal: AbortSignal): Promise<PromptMessages>;
}

/** What a scenario's tools are made from. */
export type ToolsOrigin = Pick<LoadedScenario, 'scenario' | 'file' | 'functions'>;

/**
 * Makes the tools of each case. Those that are the same in all cases are compiled once. Without `live`, calls of servers and of
 * recorded tools have no answer.
 */
export async function toolsByCase({ scenario, file, functions }: ToolsOrigin, live?: LiveTools) {
  const loaded = scenario.tools.some(({ module, mcp }) => module !== undefined || mcp !== undefined)
    ? await (await import('./load-tools.ts')).loadTools(scenario.tools, { scenario, file, live })
    : undefined;
  const toolsOf = (tools: readonly Tool[]): ScenarioTools => ({
    ...scenarioTools(functions ? withMockFunctions(tools, functions) : tools, loaded),
    ...(live && beginningOf(tools, { file, live })),
  });
  const shared = once(() => toolsOf(scenario.tools));
  return ({ tools }: Pick<Scenario, 'tools'>): ScenarioTools => (tools === scenario.tools ? shared() : toolsOf(tools));
}

function beginningOf(
  tools: readonly Tool[],
  place: { file: string; live: LiveTools },
): Pick<ScenarioTools, 'beginning'> {
  const [tool] = tools.flatMap(({ mcp, prompt, ...rest }) => (mcp && prompt ? [{ ...rest, mcp, prompt }] : []));
  if (!tool) return {};
  return {
    async beginning(trial, signal) {
      const { promptMessages } = await import('./mcp/server-prompt.ts');
      return promptMessages(tool, { ...place, trial, signal });
    },
  };
}

interface ReadyTool extends ToolDefinition {
  effect: Effect | undefined;
  isUnlisted: boolean;
  problemsOf: (args: unknown) => string[];
  /** Null: nothing answers its calls. */
  source: ToolSource | null;
  faults: readonly Fault[] | undefined;
}

/**
 * `loaded` has the tools that are not mocked; every other tool is answered by its mocks.
 * @internal Exported for its tests.
 */
export function scenarioTools(tools: readonly Tool[], loaded: LoadedTools = new Map()) {
  const ready = tools.flatMap((tool, index): ReadyTool[] =>
    (loaded.get(index) ?? [{ ...tool, isUnlisted: false, checksArguments: false, source: mockedTool(tool) }]).map(
      (each) => ({
        name: each.name,
        description: each.description,
        parameters: each.parameters,
        effect: each.effect,
        isUnlisted: each.isUnlisted ?? false,
        problemsOf: each.checksArguments ? () => [] : compileJsonSchema(each.parameters),
        source: each.source,
        faults: tool.faults?.filter(({ tools: only }) => only?.includes(each.name) ?? true),
      }),
    ),
  );
  const byName = new Map(ready.map((tool) => [tool.name, tool]));
  return {
    definitions: ready.map(({ name, description, parameters }): ToolDefinition => ({ name, description, parameters })),
    /** A call that the agent reports and that Salvo did not answer, with what the scenario knows about its tool. */
    markReported: (call: ToolCallRecord) => markReported(call, tools, ready),
    /** Throws if a source cannot start, such as a server. */
    start: (context: ToolsContext) => startTools(byName, context),
  };
}

/**
 * A call that the agent reports, and that Salvo did not answer. If something answers calls of the tool, the agent bypassed
 * it, unless nothing was executed: an error for arguments that the tool does not accept is a refusal.
 */
function markReported(call: ToolCallRecord, tools: readonly Tool[], ready: readonly ReadyTool[]): ToolCallRecord {
  const tool = ready.find(({ name }) => sameTool(name, call.name));
  const marked = {
    ...call,
    ...(isAgentCall(call, tools) && { agent: true }),
    ...(tool?.effect && { effect: tool.effect }),
  };
  if (!tool?.source || !wasExecuted(call)) return marked;
  if (call.is_error && tool.problemsOf(call.arguments).length > 0) return { ...marked, seen: 'requested' };
  return { ...marked, bypassed_mock: true };
}

function startTools(tools: ReadonlyMap<string, ReadyTool>, context: ToolsContext): TrialTools | Promise<TrialTools> {
  const started = new Map<ToolSource, TrialToolSource>();
  const waiting: Promise<unknown>[] = [];
  for (const { source } of tools.values()) {
    if (!source || started.has(source) || (context.isPlayed && !source.usesState)) continue;
    const begun = source.start(context);
    if (begun instanceof Promise) waiting.push(begun.then((ready) => started.set(source, ready)));
    else started.set(source, begun);
  }
  const trialTools = toolsOfTrial(tools, started);
  const ready = waiting.length === 0 ? trialTools : allStarted(waiting, trialTools);
  const { faultSeed } = context;
  const isFaulty = faultSeed && !context.isPlayed && [...tools.values()].some(({ faults }) => faults?.length);
  return isFaulty ? withFaults(ready, { tools: [...tools.values()], seed: faultSeed }) : ready;
}

async function withFaults(
  ready: TrialTools | Promise<TrialTools>,
  of: Parameters<typeof import('./faults/faulty-tools.ts')['faultyTools']>[1],
): Promise<TrialTools> {
  const { faultyTools } = await import('./faults/faulty-tools.ts');
  return faultyTools(await ready, of);
}

async function allStarted(waiting: readonly Promise<unknown>[], tools: TrialTools): Promise<TrialTools> {
  const failed = (await Promise.allSettled(waiting)).find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return tools;
  await tools.end();
  throw failed.reason;
}

function toolsOfTrial(
  tools: ReadonlyMap<string, ReadyTool>,
  started: ReadonlyMap<ToolSource, TrialToolSource>,
): TrialTools {
  const inTurn = createTurns();
  const isSomeUnlisted = [...tools.values()].some(({ isUnlisted }) => isUnlisted);
  return {
    answer(call, signal) {
      const tool = tools.get(call.name);
      if (!tool) {
        const known = [...tools.keys()].join(', ') || 'none';
        return problem('unknown_tool', `Unknown tool "${call.name}". Available tools: ${known}.`);
      }
      if (call.raw_arguments !== undefined) return malformed(call.name, call.raw_arguments);
      const broken = tool.problemsOf(call.arguments);
      if (broken.length > 0) {
        return problem('invalid_arguments', `Invalid arguments for "${call.name}": ${broken.join('; ')}`);
      }
      const source = tool.source && started.get(tool.source);
      if (!source) return noAnswer(call.name);
      return tool.source?.usesState ? inTurn(() => source.answer(call, signal), signal) : source.answer(call, signal);
    },
    effectOf: (name) => tools.get(name)?.effect,
    // A call of a tool that does not exist is answered, too.
    usesState: (name) => tools.get(name)?.source?.usesState ?? !(tools.has(name) || isSomeUnlisted),
    end() {
      const ended = [...started.values()].flatMap((source) => source.end?.() ?? []);
      return ended.length === 0 ? undefined : Promise.all(ended);
    },
  };
}

/** Calls that an agent makes at the same time change the state in the order of the calls, so that they can be played again. */
function createTurns() {
  let last: Promise<unknown> | null = null;
  return async (answer: () => Promise<ToolOutcome> | ToolOutcome, signal: AbortSignal): Promise<ToolOutcome> => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    try {
      if (before) await before;
      signal.throwIfAborted();
      return await answer();
    } finally {
      resolve();
      if (last === promise) last = null;
    }
  };
}

async function malformed(name: string, written: string): Promise<ToolOutcome> {
  const { doubledKey } = await import('../../text/json/doubled-keys.ts');
  const doubled = doubledKey(written);
  const reason = doubled === null ? 'are not a JSON object' : `have the key "${doubled}" twice in one object`;
  return problem('malformed_arguments', `The arguments of "${name}" ${reason}.`);
}
