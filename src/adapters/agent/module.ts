import { isRecord } from '../../text/is-record.ts';
import { quoteOutput } from '../../text/quote-output.ts';
import { SalvoError } from '../../text/salvo-error.ts';
import type { Adapter, AdapterTurnResult, TurnRequest } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterFactory } from '../adapter-factory.ts';
import type { AdapterOptions } from '../adapter-options-schema.ts';
import { abortedError, withDeadline } from '../call/call-deadline.ts';
import { adapterErrorFromStatus } from '../call/http-status.ts';
import type { AgentFunction, AgentTask } from './agent-function.ts';
import { type AgentReplySource, parseAgentReply } from './agent-reply.ts';
import { type AgentModule, loadAgentModule } from './load-agent-module.ts';

type ModuleOptions = Extract<AdapterOptions, { type: 'module' }>;

/** An adapter or a whole agent in a TypeScript or JavaScript module of the user. */
export const createModuleAdapter: AdapterFactory<ModuleOptions> = ({ path, timeout_seconds }, { root }) =>
  createAdapter({
    callee: `The agent of ${path}`,
    // Not the module's own name, which is known only after the first turn: a judge is identified by its provider.
    provider: 'module',
    timeoutSeconds: timeout_seconds,
    load: () => loadAgentModule({ path, root }),
  });

/** A whole agent that is a function of this process. Only the time limit of its trial ends it. */
export function createFunctionAdapter(agent: AgentFunction): Adapter {
  return createAdapter({
    callee: 'The agent',
    provider: 'function',
    timeoutSeconds: Number.POSITIVE_INFINITY,
    load: async () => ({ kind: 'agent', agent }),
  });
}

function createAdapter(options: {
  callee: string;
  provider: string;
  timeoutSeconds: number | undefined;
  load: () => Promise<AgentModule>;
}): Adapter {
  const { callee, timeoutSeconds } = options;
  let loading: Promise<AgentModule> | undefined;
  let loaded: AgentModule | undefined;
  return {
    providerName: () => options.provider,
    async sendTurn(messages, tools, config) {
      loading ??= options.load();
      const module = await loading;
      loaded = module;
      const source = { callee, request: config.conversation?.request ?? 0 };
      return withDeadline({ callee, timeoutSeconds, signal: config.signal }, (signal) =>
        module.kind === 'adapter'
          ? askAdapter(module.adapter, source, { messages, tools, config: { ...config, signal } })
          : askAgent(module.agent, source, agentTask({ messages, tools, config, signal, callee })),
      );
    },
    async close() {
      if (loaded?.kind === 'adapter') await loaded.adapter.close?.();
    },
  };
}

async function askAdapter(
  adapter: Extract<AgentModule, { kind: 'adapter' }>['adapter'],
  source: AgentReplySource,
  { messages, tools, config }: TurnRequest,
): Promise<AdapterTurnResult> {
  let result: AdapterTurnResult;
  try {
    result = await adapter.sendTurn(messages, tools, config);
  } catch (error) {
    throw statusError(error) ?? thrownError(source, error);
  }
  return { ...parseAgentReply(result, source), raw_response: result.raw_response ?? result };
}

async function askAgent(agent: AgentFunction, source: AgentReplySource, task: AgentTask): Promise<AdapterTurnResult> {
  let reply: unknown;
  try {
    // Copied through JSON: if the agent changes its objects later, the trace must not change.
    reply = JSON.parse(JSON.stringify((await agent(task)) ?? null));
  } catch (error) {
    throw thrownError(source, error);
  }
  return parseAgentReply(reply, source);
}

function agentTask(request: TurnRequest & { signal: AbortSignal; callee: string }): AgentTask {
  const { messages, tools, signal, callee } = request;
  const { model, temperature, maxTokens, seed, extras, callTool } = request.config;
  return {
    ...structuredClone({ messages, tools, model, temperature, maxTokens, seed, extras }),
    signal,
    async callTool(name, args = {}) {
      // An agent that continues after its trial has ended must not add to the trace.
      if (signal.aborted) throw abortedError(callee, signal);
      if (!callTool)
        throw new AdapterError('bad_request', `${callee} called the tool ${name}, but there are no tools here.`);
      return callTool(name, args);
    },
  };
}

/** The errors of SDKs have the HTTP status, so a user's adapter can be retried like the built-in ones. */
function statusError(error: unknown): AdapterError | undefined {
  if (!(error instanceof Error) || error instanceof SalvoError || !('status' in error)) return undefined;
  const { status, message } = error;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 599) return undefined;
  const headers = 'headers' in error && error.headers instanceof Headers ? error.headers : undefined;
  return adapterErrorFromStatus({ status, message: quoteOutput(message), headers, cause: error });
}

/** Our own errors pass through: they come from the engine, in a tool call, or the user's adapter threw them on purpose. */
function thrownError({ callee }: AgentReplySource, error: unknown): SalvoError {
  if (error instanceof SalvoError) return error;
  const message = error instanceof Error ? error.message || error.name : describe(error);
  return new AdapterError('bad_response', `${callee} threw an error: ${quoteOutput(message)}`, { cause: error });
}

function describe(thrown: unknown): string {
  return isRecord(thrown) ? `an object with ${Object.keys(thrown).join(', ') || 'no fields'}` : String(thrown);
}
