import { randomUUID } from 'node:crypto';
import type { Adapter } from '../adapter.ts';
import type { Forward } from './forward.ts';
import type { Watcher } from './observed-turn.ts';
import { watchModel } from './watch-model.ts';
import { watchOtel } from './watch-otel.ts';

/** `observe` of an adapter in salvo.yaml. */
type Observe = 'model' | 'otel' | { model: { port: number } } | { otel: { port: number } };

interface ObserverOptions {
  observe: Observe;
  env: Record<string, string | undefined>;
  /** The agent's process has ended when it has answered. */
  endsWithTurn: boolean;
  /** Sends a request of the agent on to its model. */
  forward?: Forward | undefined;
}

/**
 * An agent whose turns are recorded. A program and a module have a recorder for each trial, to which variables lead; a server
 * has one on a port that its user leads it to.
 */
export function observedAdapter(agent: Adapter, options: ObserverOptions): Adapter {
  const { observe } = options;
  const isShared = typeof observe !== 'string';
  const byTrial = new Map<string, Promise<Watcher>>();
  const watcherOf = (trial: string): Promise<Watcher> => {
    const started = byTrial.get(trial) ?? (isShared ? shareWatcher(options) : startWatcher(options));
    byTrial.set(trial, started);
    return started;
  };
  const end = async (trial: string): Promise<void> => {
    const started = byTrial.get(trial);
    byTrial.delete(trial);
    await (await started?.catch(() => undefined))?.close();
  };
  return {
    ...agent,
    observes: observe === 'model' || (isShared && 'model' in observe) ? 'model' : 'otel',
    async prepare(options) {
      if (isShared) await watcherOf(ALL_TRIALS);
      await agent.prepare?.(options);
    },
    async sendTurn(messages, tools, config) {
      const trial = config.conversation?.id ?? randomUUID();
      const watcher = await watcherOf(isShared ? ALL_TRIALS : trial);
      try {
        return await watcher.watch(config, ({ headers, variables }) => {
          const given = { headers, variables: { ...variables, ...pastProxies(options.env) } };
          return agent.sendTurn(messages, tools, { ...config, given });
        });
      } finally {
        if (config.conversation?.id === undefined) await end(trial);
      }
    },
    async endConversation(id) {
      await agent.endConversation?.(id);
      await end(id);
    },
    async close() {
      await agent.close?.();
      await Promise.all([...byTrial.keys()].map(end));
    },
  };
}

const ALL_TRIALS = '';

/** A proxy elsewhere cannot reach this machine by its own name. */
function pastProxies(env: ObserverOptions['env']): Record<string, string> {
  const names = ['NO_PROXY', 'no_proxy'];
  return Object.fromEntries(
    names.map((name) => [name, [env[name], '127.0.0.1', 'localhost'].filter(Boolean).join(',')]),
  );
}

function startWatcher({ observe, env, endsWithTurn, forward }: ObserverOptions): Promise<Watcher> {
  if (observe === 'model') return watchModel({ env, forward });
  if (observe === 'otel') return watchOtel({ env, endsWithTurn });
  return 'model' in observe
    ? watchModel({ env, forward, port: observe.model.port })
    : watchOtel({ env, endsWithTurn, port: observe.otel.port });
}

/** Recorders on ports that the user chose: all scenarios of a run with the same port share one. */
const shared = new Map<string, { watcher: Promise<Watcher>; users: number }>();

async function shareWatcher(options: ObserverOptions): Promise<Watcher> {
  const key = JSON.stringify(options.observe);
  const entry = shared.get(key) ?? { watcher: startWatcher(options), users: 0 };
  shared.set(key, entry);
  entry.users += 1;
  const leave = async (): Promise<void> => {
    entry.users -= 1;
    if (entry.users > 0) return;
    shared.delete(key);
    await (await entry.watcher.catch(() => undefined))?.close();
  };
  const watcher = await entry.watcher.catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  return { ...watcher, close: leave };
}
