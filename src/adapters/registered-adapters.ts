import type { Adapter } from './adapter.ts';
import type { AdapterContext } from './adapter-factory.ts';

/** Adapters that code has made known, by name. They come before all others of that name. */
export const registeredAdapters = new Map<string, (context: AdapterContext) => Adapter>();

export function registerAdapter(name: string, factory: (context: AdapterContext) => Adapter): void {
  registeredAdapters.set(name, factory);
}
