import { errorMessage, SalvoError } from '../errors/salvo-error.ts';
import { isFunction } from '../json/is-record.ts';
import { importModule, ModuleLoadError } from './import-module.ts';

/** A function that a module of the user exports. `file` is absolute. */
export async function importFunction<F extends (...args: never[]) => unknown>(file: string, name: string): Promise<F> {
  const exported = await importExports(file);
  const found = Object.hasOwn(exported, name) ? exported[name] : undefined;
  if (isFunction<F>(found)) return found;
  const names = Object.keys(exported).filter((key) => typeof exported[key] === 'function');
  throw new SalvoError(
    'MODULE_FUNCTION_UNKNOWN',
    `${file} exports no function "${name}". It exports: ${names.join(', ') || 'no functions'}.`,
  );
}

async function importExports(file: string): Promise<Record<string, unknown>> {
  try {
    return await importModule(file);
  } catch (cause) {
    const { place, nextStep: step } = cause instanceof ModuleLoadError ? cause : {};
    const nextStep = step ? `. ${step}` : '';
    const where = place ? `${place.file}:${place.line}:${place.column}` : file;
    throw new SalvoError('MODULE_UNREADABLE', `${where} cannot be loaded: ${errorMessage(cause)}${nextStep}`, {
      cause,
    });
  }
}
