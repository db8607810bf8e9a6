import { SalvoError } from '../text/errors/salvo-error.ts';
import { processWideMap } from '../text/process-wide.ts';
import type { Adapter } from './adapter.ts';
import type { AdapterContext } from './adapter-factory.ts';
import { BUILT_IN_NAMES, TYPES_WITH_OPTIONS } from './adapter-name.ts';

/** Adapters registered in code, by name. They take precedence over those of salvo.yaml. */
export const registeredAdapters = processWideMap<(context: AdapterContext) => Adapter>('adapters');

/** Makes an adapter known by a name that scenarios and salvo.yaml can use. */
export function registerAdapter(name: string, factory: (context: AdapterContext) => Adapter): void {
  const isBuiltIn = BUILT_IN_NAMES.some((builtIn) => builtIn === name) || TYPES_WITH_OPTIONS.has(name);
  if (!isBuiltIn && !registeredAdapters.has(name)) {
    registeredAdapters.set(name, factory);
    return;
  }
  throw new SalvoError(
    'ADAPTER_EXISTS',
    `${isBuiltIn ? `"${name}" is a built-in adapter` : `The adapter "${name}" is registered already`}: register yours under another name.`,
  );
}
