import type { Adapter } from './adapter.ts';

/** What is known of an adapter before its code is loaded. */
type KnownAhead = Pick<Adapter, 'isOneModelCall' | 'contextTokens'> & { provider: string };

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
    prepare: async () => (await loaded()).prepare?.(),
    async close() {
      const adapter = await loading?.catch(() => undefined);
      await adapter?.close?.();
    },
  };
}
