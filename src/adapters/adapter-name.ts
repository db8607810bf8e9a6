import type { AdapterOptions, AdapterType } from './adapter-options-schema.ts';

/** Built-in adapters that can be named without an entry in salvo.yaml. */
export const BUILT_IN_NAMES = ['openai', 'anthropic', 'scripted'] as const;

export interface AdapterNames {
  /** The named adapters of salvo.yaml, with their types. */
  named: ReadonlyMap<string, AdapterType | undefined>;
  /** Names that code has registered. */
  registered: ReadonlySet<string>;
}

/** What a name in `adapter:` leads to: a type, something registered, or undefined when it leads nowhere. */
export function adapterTypeOf(name: string, names: AdapterNames): AdapterType | 'registered' | undefined {
  if (names.registered.has(name)) return 'registered';
  // An entry of salvo.yaml without a usable type has been reported there.
  if (names.named.has(name)) return names.named.get(name) ?? 'registered';
  return BUILT_IN_NAMES.find((type) => type === name) ?? optionsOfAddress(name)?.type;
}

/** The options a name stands for that is itself the address of an agent: a URL, `exec:` and a command, a path. */
export function optionsOfAddress(name: string): AdapterOptions | undefined {
  if (/^https?:\/\//i.test(name)) return URL.canParse(name) ? { type: 'http', url: name } : undefined;
  const command = /^exec:(.*\S.*)$/s.exec(name)?.[1]?.trim();
  if (command) return { type: 'exec', command };
  return /^(\.{1,2})?\//.test(name) || /\.[cm]?[jt]s$/.test(name) ? { type: 'module', path: name } : undefined;
}
