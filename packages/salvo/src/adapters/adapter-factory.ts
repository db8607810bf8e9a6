import type { Adapter } from './adapter.ts';
import type { AdapterOptions, AdapterType, OptionsOf } from './adapter-options-schema.ts';
import type { Script } from './script-schema.ts';

/** What an adapter may use beside its own options. */
export interface AdapterContext {
  /** Paths of adapters are relative to this folder. */
  root: string;
  /** Named adapters of salvo.yaml. */
  adapters: Record<string, AdapterOptions>;
  env: Record<string, string | undefined>;
  /** The scenario's own script, for the scripted adapter. */
  script?: Script | undefined;
}

/** Makes an adapter. Synchronous and cheap: SDKs, child processes and models are loaded on the first turn. */
export type AdapterFactory<T extends AdapterType> = (options: OptionsOf<T>, context: AdapterContext) => Adapter;
