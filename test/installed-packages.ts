import type { SalvoExtension } from '../packages/salvo/src/extension/extension.ts';
import { processWideMap } from '../packages/salvo/src/text/process-wide.ts';

/** As if this process had just started, and none of these packages were installed. Disposing of it forgets it again. */
export function withoutPackages(...names: string[]): Disposable {
  const extensions = processWideMap<Promise<SalvoExtension | null>>('extensions');
  extensions.clear();
  for (const name of names) extensions.set(name, Promise.resolve(null));
  return { [Symbol.dispose]: () => extensions.clear() };
}
