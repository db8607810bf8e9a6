import type { Adapter } from './adapter.ts';
import type { AdapterContext } from './adapter-factory.ts';

/** Adapters registered in code, by name. They take precedence over all others of that name. */
export const registeredAdapters = new Map<string, (context: AdapterContext) => Adapter>();

export function registerAdapter(name: string, factory: (context: AdapterContext) => Adapter): void {
  registeredAdapters.set(name, factory);
}
