import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TurnRequest } from '../adapter.ts';
import { abortedError } from '../call/call-deadline.ts';
import type { ModuleCaller } from './call-module.ts';
import { ModuleProcess } from './module-process.ts';

/** Trials share processes only if more than these run at the same time: every process needs memory of its own. */
const MAX_PROCESSES = 16;
/** Starting a process takes a core. */
const STARTS_AT_ONCE = Math.max(2, availableParallelism());
/** Conversations whose process is remembered. One that is forgotten goes on in any process. */
const MAX_REMEMBERED = 10_000;

/**
 * The program in which modules run; undefined if Salvo is part of a bundled app, which has no such file. Modules then
 * run in the process of the app.
 */
export function agentProcessFile(): string | undefined {
  // Beside this file in the sources; in the build, at the top of dist/.
  const places = import.meta.url.endsWith('.ts')
    ? ['./agent-process.ts']
    : ['./agent-process.js', '../agent-process.js'];
  return places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((file) => existsSync(file));
}

/**
 * Calls a module in processes of its own. Each is started when it is needed, and used again for later trials. All turns
 * of a conversation go to the same process, where the agent may remember the earlier ones.
 */
export function createAgentPool(options: {
  file: string;
  path: string;
  root: string;
  callee: string;
  /** Variables that it receives besides those of this process. */
  env: Record<string, string | undefined>;
}): ModuleCaller {
  const processes = new Set<ModuleProcess>();
  const starting = new Set<ModuleProcess>();
  const homes = new Map<string, ModuleProcess>();
  let changed = Promise.withResolvers<void>();
  let failure: { error: unknown } | undefined;

  const wakeAll = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  const start = (): void => {
    const process = new ModuleProcess({
      ...options,
      onChange: () => {
        if (process.isRetired) processes.delete(process);
        wakeAll();
      },
    });
    starting.add(process);
    failure = undefined;
    process.ready
      .then(
        () => processes.add(process),
        (error: unknown) => {
          failure = { error };
        },
      )
      .finally(() => {
        starting.delete(process);
        wakeAll();
      });
  };

  /** Uses a free process. Synchronously: after an await, somebody else could be using it. */
  const withProcess = async <T>(
    { conversation, signal }: { conversation?: string | undefined; signal?: AbortSignal },
    use: (process: ModuleProcess) => T,
  ): Promise<Awaited<T>> => {
    for (;;) {
      if (signal?.aborted) throw abortedError(options.callee, signal);
      const home = conversation === undefined ? undefined : homes.get(conversation);
      if (home && processes.has(home)) return await use(home);
      const byLoad = [...processes].sort((a, b) => a.load - b.load);
      const [least] = byLoad;
      if (least?.load === 0) return await use(least);
      const count = processes.size + starting.size;
      if (least && count >= MAX_PROCESSES && starting.size === 0) return await use(least);
      if (failure) {
        const { error } = failure;
        if (starting.size === 0) failure = undefined;
        throw error;
      }
      if (count < MAX_PROCESSES && starting.size < STARTS_AT_ONCE) start();
      await changed.promise;
    }
  };

  const remember = (conversation: string, process: ModuleProcess): void => {
    homes.set(conversation, process);
    const [oldest] = homes.keys();
    if (homes.size > MAX_REMEMBERED && oldest !== undefined) homes.delete(oldest);
  };

  return {
    prepare: () => withProcess({}, () => {}),
    call(request: TurnRequest, signal) {
      const conversation = request.config.conversation?.id;
      return withProcess({ conversation, signal }, (process) => {
        if (conversation !== undefined) remember(conversation, process);
        return process.ask(request, signal);
      });
    },
    async close() {
      await Promise.all([...processes, ...starting].map((process) => process.close()));
    },
  };
}
