import { relative, resolve } from 'node:path';
import { type AdapterOptions, isPackageName } from 'salvo/kit/adapters';
import { SalvoError } from 'salvo/kit/text';

/** The packages of the AI SDK itself. They do nothing but call the provider whose name they have. */
const PROVIDER_PACKAGE = /^@ai-sdk\/[\w.-]+$/;

/**
 * Throws if an adapter of a run uses what only the machine of the worker has: a package that is installed there, or a
 * model file. The adapters may come from anybody who can write to the database, and both are executed or parsed here.
 */
export function refuseMachineUse(
  adapters: Record<string, AdapterOptions>,
  { root, folder }: { root: string; folder: string },
): void {
  const refused = Object.entries(adapters).flatMap(([name, options]) => {
    if (options.type === 'ai-sdk' && isPackageName(options.package) && !PROVIDER_PACKAGE.test(options.package))
      return [`  adapter ${name}: the package ${options.package}`];
    if (options.type === 'llama' && !isInside(resolve(root, options.model_path), folder))
      return [`  adapter ${name}: the file ${options.model_path}`];
    return [];
  });
  if (refused.length === 0) return;
  throw new SalvoError(
    'CODE_NOT_ALLOWED',
    [
      'The run uses packages or files of this machine that the owner of this worker did not allow:',
      ...refused.slice(0, 20),
      'If that is right, start the worker with `salvo worker --allow-code`.',
    ].join('\n'),
  );
}

function isInside(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return path !== '' && path.split(/[\\/]/)[0] !== '..' && resolve(folder, path) === file;
}
