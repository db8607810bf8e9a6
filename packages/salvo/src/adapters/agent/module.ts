import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Adapter } from '../adapter.ts';
import type { AdapterFactory } from '../adapter-factory.ts';
import { withDeadline } from '../call/call-deadline.ts';
import type { AgentFunction } from './agent-function.ts';
import { agentProcessFile, createAgentPool } from './agent-pool.ts';
import { parseFunctionReply } from './agent-reply.ts';
import { callModule, type ModuleCaller } from './call-module.ts';
import { captureOutput } from './captured-output.ts';
import { type AgentModule, loadAgentModule } from './load-agent-module.ts';
import type { ModuleOptions } from './module-process.ts';
import { createTrialProcesses } from './trial-processes.ts';

/**
 * An adapter or a whole agent in a TypeScript or JavaScript module of the user. It runs in processes of its own, unless
 * `isolate: false` is set: there it can be stopped, and cannot stop Salvo.
 */
export const createModuleAdapter: AdapterFactory<'module'> = (options, { root, env }) => {
  const { path } = options;
  const module = { callee: `The agent of ${path}`, path, root };
  const file = options.isolate === false ? undefined : agentProcessFile();
  return createAdapter({
    callee: module.callee,
    provider: 'module',
    timeoutSeconds: options.timeout_seconds,
    toolsSeen: options.tools_seen,
    caller: callerOf({ module: { ...module, env }, file, isObserved: options.observe !== undefined }),
  });
};

function callerOf(options: { module: ModuleOptions; file: string | undefined; isObserved: boolean }): ModuleCaller {
  const { module, file, isObserved } = options;
  if (file === undefined) {
    if (isObserved) throw notObservable(module.path);
    return callHere({ ...module, load: () => loadHere(module) });
  }
  return isObserved ? createTrialProcesses({ ...module, file }) : createAgentPool({ ...module, file });
}

function notObservable(path: string): SalvoError {
  const problem =
    'an agent that runs in the process of Salvo cannot be observed: it shares its variables with all trials';
  return new SalvoError('ADAPTER_NOT_READY', `${path}: ${problem}. Remove "isolate: false", or "observe".`);
}

/** The agent reads variables of `env_file` from `process.env`, as it does in a process of its own. */
async function loadHere({ env, ...module }: ModuleOptions): Promise<AgentModule> {
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined) process.env[name] ??= value;
  }
  return loadAgentModule(module);
}

/** A whole agent that is a function of this process. */
export function callFunction(agent: AgentFunction): Adapter {
  const callee = 'The agent';
  return createAdapter({
    callee,
    provider: 'function',
    timeoutSeconds: Number.POSITIVE_INFINITY,
    caller: callHere({ callee, root: process.cwd(), load: async () => ({ kind: 'agent', agent }) }),
  });
}

function createAdapter(options: {
  callee: string;
  provider: string;
  timeoutSeconds: number | undefined;
  toolsSeen?: 'all' | undefined;
  caller: ModuleCaller;
}): Adapter {
  const { callee, caller, timeoutSeconds, toolsSeen } = options;
  return {
    providerName: () => options.provider,
    prepare: () => caller.prepare(),
    async sendTurn(messages, tools, config) {
      // Calls of mocked tools are added to the messages while the agent works.
      const asked = messages.slice();
      const { kind, reply } = await withDeadline({ callee, timeoutSeconds, signal: config.signal }, (signal) =>
        caller.call({ messages, tools, config }, signal),
      );
      const source = { callee, request: config.conversation?.request ?? 0, asked, toolsSeen };
      const result = await parseFunctionReply(JSON.parse(reply), source);
      // Salvo answers the calls of a model behind an adapter of the user, so there are no others.
      return kind === 'adapter' ? { ...result, tools_reported: undefined } : result;
    },
    endConversation: async (id) => caller.endConversation?.(id),
    close: () => caller.close(),
  };
}

/** Calls the module in this process. */
function callHere(options: { callee: string; root: string; load: () => Promise<AgentModule> }): ModuleCaller {
  const { callee, root, load } = options;
  let loading: Promise<AgentModule> | undefined;
  const loaded = (): Promise<AgentModule> => {
    loading ??= load();
    return loading;
  };
  return {
    async prepare() {
      await loaded();
    },
    async call(request, signal) {
      const module = await loaded();
      const reply = await captureOutput(request.config.log, () =>
        callModule(module, request, { callee, root, signal }),
      );
      return { kind: module.kind, reply };
    },
    async close() {
      const module = await loading?.catch(() => undefined);
      if (module?.kind === 'adapter') await module.adapter.close?.();
    },
  };
}
