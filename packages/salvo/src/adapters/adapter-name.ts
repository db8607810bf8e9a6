import type { AdapterContext } from './adapter-factory.ts';
import type { AdapterOptions, AdapterType } from './adapter-options-schema.ts';

/** Built-in adapters that can be named without an entry in salvo.yaml. */
export const BUILT_IN_NAMES = ['openai', 'anthropic', 'scripted'] as const;

/** Adapter types that need options in salvo.yaml, each with the option that it requires. */
export const TYPES_WITH_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['ai-sdk', 'package'],
  ['llama', 'model_path'],
  ['exec', 'command'],
  ['http', 'url'],
  ['a2a', 'url'],
  ['ag-ui', 'url'],
  ['module', 'path'],
]);

export interface AdapterNames {
  /** The named adapters of salvo.yaml, with their types. */
  named: ReadonlyMap<string, AdapterType | undefined>;
  /** Names registered in code. */
  registered: ReadonlySet<string>;
}

/** The type of the adapter that a name in `adapter:` means; undefined when there is none of that name. */
export function adapterTypeOf(name: string, names: AdapterNames): AdapterType | 'registered' | undefined {
  if (names.registered.has(name)) return 'registered';
  // An entry without a usable type is an error of salvo.yaml, which is reported there.
  if (names.named.has(name)) return names.named.get(name) ?? 'registered';
  return BUILT_IN_NAMES.find((type) => type === name) ?? addressOptions(name)?.type;
}

/** A model as it is named on a command line or in a list: `model`, or `adapter=model`. */
export function readModelName(text: string): { adapter: string | undefined; model: string } {
  const [, adapter, model = text] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  return { adapter, model };
}

/** The built-in scripted adapter has no options: it plays the scenario's own script. */
export type MadeOptions = AdapterOptions | { type: 'scripted'; script?: undefined };

/** The options of a named adapter, of a built-in, or of an address; undefined when there is none of that name. */
export function adapterOptionsOf(name: string, context: Pick<AdapterContext, 'adapters'>): MadeOptions | undefined {
  return namedOptions(name, context) ?? builtInOptions(name) ?? addressOptions(name);
}

/** `hasOwn`, or "constructor" would be an adapter. */
export function namedOptions(name: string, { adapters }: Pick<AdapterContext, 'adapters'>): AdapterOptions | undefined {
  return Object.hasOwn(adapters, name) ? adapters[name] : undefined;
}

function builtInOptions(name: string): MadeOptions | undefined {
  if (name === 'scripted') return { type: name };
  return name === 'openai' || name === 'anthropic' ? { type: name } : undefined;
}

/** A name may itself be the address of an agent: a URL, `exec:` and a command, a path. */
function addressOptions(name: string): AdapterOptions | undefined {
  if (/^https?:\/\//i.test(name)) return URL.canParse(name) ? { type: 'http', url: name } : undefined;
  const command = /^exec:(.*\S.*)$/s.exec(name)?.[1]?.trim();
  if (command) return { type: 'exec', command };
  return /^(\.{1,2})?\//.test(name) || /\.[cm]?[jt]sx?$/.test(name) ? { type: 'module', path: name } : undefined;
}
