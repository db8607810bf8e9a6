import { SalvoError } from '../errors/salvo-error.ts';

/** Code of a project, as it is about to be executed. */
export type ExecutedCode = { module: string } | Command;

interface Command {
  command: readonly string[];
  /** The folder in which it runs. Absolute: the same words mean other files elsewhere. */
  cwd: string;
  /** The variables that it receives, besides PATH and the like. */
  env: readonly string[];
}

/** Null: everything may be executed, as in every process but a worker whose owner did not allow all code. */
let permitted: { modules: Set<string>; commands: Set<string> } | null = null;

/** From now on this process executes only code that `permitCode` names. */
export function permitNoCode(): void {
  permitted ??= { modules: new Set(), commands: new Set() };
}

/** @internal For tests, whose files share a process. */
export function permitAllCode(): void {
  permitted = null;
}

export function permitCode(code: ExecutedCode): void {
  if ('module' in code) permitted?.modules.add(code.module);
  else permitted?.commands.add(commandKey(code));
}

/**
 * Throws if the owner of this worker did not allow the code. It is asked where code is executed, and not where work is
 * taken: what a job says may come from anybody who can write to the database.
 */
export function refuseUnpermitted(code: ExecutedCode): void {
  if (permitted === null) return;
  const isPermitted = 'module' in code ? permitted.modules.has(code.module) : permitted.commands.has(commandKey(code));
  if (isPermitted) return;
  const what = 'module' in code ? code.module : `the command ${code.command.join(' ').slice(0, 200)}`;
  throw new SalvoError(
    'CODE_NOT_ALLOWED',
    `This worker does not execute ${what}: its owner did not allow it. Start the worker with --allow-code, or with the hash of this code.`,
  );
}

function commandKey({ command, cwd, env }: Command): string {
  return JSON.stringify([command, cwd, env]);
}
