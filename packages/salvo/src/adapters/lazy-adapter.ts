import type { Adapter } from './adapter.ts';
import type { AgentFunction } from './agent/agent-function.ts';

/** What is known of an adapter before its code is loaded. */
type KnownAhead = Pick<Adapter, 'isOneModelCall' | 'contextTokens' | 'observes'> & { provider: string };

/** An adapter whose code is loaded when a run prepares it, or with its first turn. A run loads only those that it uses. */
export function lazyAdapter({ provider, ...known }: KnownAhead, load: () => Promise<Adapter>): Adapter {
  let loading: Promise<Adapter> | undefined;
  const loaded = (): Promise<Adapter> => {
    loading ??= load();
    return loading;
  };
  return {
    ...known,
    providerName: () => provider,
    sendTurn: async (...turn) => (await loaded()).sendTurn(...turn),
    prepare: async (options) => (await loaded()).prepare?.(options),
    async endConversation(id) {
      const adapter = await loading?.catch(() => undefined);
      await adapter?.endConversation?.(id);
    },
    async close() {
      const adapter = await loading?.catch(() => undefined);
      await adapter?.close?.();
    },
  };
}

/** A whole agent that is a function of this process. Only the time limit of its trial ends it. */
export function createFunctionAdapter(agent: AgentFunction): Adapter {
  return lazyAdapter({ provider: 'function' }, async () => (await import('./agent/module.ts')).callFunction(agent));
}
