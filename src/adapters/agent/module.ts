import { randomUUID } from 'node:crypto';
import { isRecord } from '../../text/is-record.ts';
import { jsonCopy } from '../../text/json-copy.ts';
import { quoteOutput } from '../../text/quote-output.ts';
import { errorMessage, SalvoError } from '../../text/salvo-error.ts';
import type { Adapter, AdapterTurnResult, TurnRequest } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterFactory } from '../adapter-factory.ts';
import type { AdapterOptions } from '../adapter-options-schema.ts';
import { abortedError, withDeadline } from '../call/call-deadline.ts';
import { adapterErrorFromStatus } from '../call/http-status.ts';
import type { AgentFunction, AgentTask } from './agent-function.ts';
import { type AgentReplySource, parseAgentReply } from './agent-reply.ts';
import { captureOutput } from './captured-output.ts';
import { type AgentModule, loadAgentModule } from './load-agent-module.ts';
import { thrownError } from './thrown-error.ts';

type ModuleOptions = Extract<AdapterOptions, { type: 'module' }>;

/** An adapter or a whole agent in a TypeScript or JavaScript module of the user. */
export const createModuleAdapter: AdapterFactory<ModuleOptions> = ({ path, timeout_seconds }, { root }) =>
  createAdapter({
    callee: `The agent of ${path}`,
    // Not the module's own name, which is known only after the first turn: a judge is identified by its provider.
    provider: 'module',
    root,
    timeoutSeconds: timeout_seconds,
    load: () => loadAgentModule({ path, root }),
  });

/** A whole agent that is a function of this process. Only the time limit of its trial ends it. */
export function createFunctionAdapter(agent: AgentFunction): Adapter {
  return createAdapter({
    callee: 'The agent',
    provider: 'function',
    root: process.cwd(),
    timeoutSeconds: Number.POSITIVE_INFINITY,
    load: async () => ({ kind: 'agent', agent }),
  });
}

function createAdapter(options: {
  callee: string;
  provider: string;
  /** Paths in a stack are relative to it. */
  root: string;
  timeoutSeconds: number | undefined;
  load: () => Promise<AgentModule>;
}): Adapter {
  const { callee, root, timeoutSeconds } = options;
  let loading: Promise<AgentModule> | undefined;
  let loaded: AgentModule | undefined;
  const load = async (): Promise<AgentModule> => {
    loading ??= options.load();
    loaded = await loading;
    return loaded;
  };
  return {
    providerName: () => options.provider,
    async prepare() {
      await load();
    },
    async sendTurn(messages, tools, config) {
      const module = await load();
      const source = { callee, root, request: config.conversation?.request ?? 0 };
      return withDeadline({ callee, timeoutSeconds, signal: config.signal }, (signal) =>
        captureOutput(config.log, () =>
          module.kind === 'adapter'
            ? askAdapter(module.adapter, source, { messages, tools, config: { ...config, signal } })
            : askAgent(module.agent, source, agentTask({ messages, tools, config, signal, callee })),
        ),
      );
    },
    async close() {
      if (loaded?.kind === 'adapter') await loaded.adapter.close?.();
    },
  };
}

type Source = AgentReplySource & { root: string };

async function askAdapter(
  adapter: Extract<AgentModule, { kind: 'adapter' }>['adapter'],
  source: Source,
  { messages, tools, config }: TurnRequest,
): Promise<AdapterTurnResult> {
  let result: unknown;
  try {
    result = await adapter.sendTurn(messages, tools, config);
  } catch (error) {
    throw statusError(error) ?? thrownError({ ...source, kind: 'adapter' }, error);
  }
  if (!isRecord(result)) return parseAgentReply(result, source);
  // The raw response may be anything, such as an object of an SDK that JSON cannot write.
  const { raw_response, ...turn } = result;
  return { ...parseAgentReply(copyOf(turn, source), source), raw_response: raw_response ?? turn };
}

async function askAgent(agent: AgentFunction, source: Source, task: AgentTask): Promise<AdapterTurnResult> {
  let reply: unknown;
  try {
    reply = await agent(task);
  } catch (error) {
    throw thrownError({ ...source, kind: 'agent' }, error);
  }
  return parseAgentReply(copyOf(reply, source), source);
}

/** If the agent changes its objects later, the trace must not change. */
function copyOf(reply: unknown, { callee }: Source): unknown {
  if (isRecord(reply) && (Symbol.asyncIterator in reply || 'textStream' in reply)) {
    throw new AdapterError(
      'bad_response',
      `${callee} returned a stream. Read it to its end first, and return its text or its messages: \`for await (const message of stream) messages.push(message)\`.`,
    );
  }
  try {
    return jsonCopy(reply);
  } catch (cause) {
    const message = `${callee} gave an answer that cannot be written as JSON: ${quoteOutput(errorMessage(cause))}`;
    throw new AdapterError('bad_response', message, { cause });
  }
}

function agentTask(request: TurnRequest & { signal: AbortSignal; callee: string }): AgentTask {
  const { messages, tools, signal, callee } = request;
  const { model, temperature, maxTokens, seed, extras, conversation, callTool } = request.config;
  return {
    ...structuredClone({ messages, tools, model, temperature, maxTokens, seed, extras }),
    runId: conversation?.runId ?? '',
    scenario: conversation?.scenario ?? '',
    trialNumber: conversation?.trialNumber ?? 1,
    conversation: conversation?.id ?? randomUUID(),
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
