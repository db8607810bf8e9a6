import { SalvoError } from '../errors/salvo-error.ts';

/** Code of a project, as it is about to be executed. */
export type ExecutedCode = { module: string } | Command;

/** A program of a project. */
export interface Command {
  command: readonly string[];
  /** The folder in which it runs. Absolute: the same words mean other files elsewhere. */
  cwd: string;
  /** The variables that it receives, besides PATH and the like. */
  env: readonly string[];
}

/** What to do about code that `--no-code` refuses. */
export const WITHOUT_NO_CODE = 'Read it, and call `salvo` without --no-code if you trust it.';

/** What to do about a file that only a worker does not find. */
export const NOT_SENT =
  'A worker has the files of the project that git does not ignore. Name others under `workers: { files: [...] }` in salvo.yaml.';

/** Null: everything may be executed, unless the owner of a worker or `--no-code` says otherwise. */
let permitted: { modules: Set<string>; commands: Set<string> } | null = null;
let isAllRefused = false;

/** From now on this process executes only code that `permitCode` names. */
export function permitNoCode(): void {
  permitted ??= { modules: new Set(), commands: new Set() };
}

/** `--no-code`: from now on this process executes no code of a project, whoever permits it. */
export function refuseAllCode(): void {
  isAllRefused = true;
  permitted = { modules: new Set(), commands: new Set() };
}

/** Whether code is refused where a file names it, so that the message has a place. */
export function isAllCodeRefused(): boolean {
  return isAllRefused;
}

/** @internal For tests, whose files share a process. */
export function permitAllCode(): void {
  isAllRefused = false;
  permitted = null;
}

export function permitCode(code: ExecutedCode): void {
  if (isAllRefused) return;
  if ('module' in code) permitted?.modules.add(code.module);
  else permitted?.commands.add(commandKey(code));
}

/**
 * Throws if `--no-code` was given, or if the owner of this worker did not allow the code. It is asked where code is
 * executed, and not where work is taken: what a job says may come from anybody who can write to the database.
 */
export function refuseUnpermitted(code: ExecutedCode): void {
  if (permitted === null) return;
  const isPermitted = 'module' in code ? permitted.modules.has(code.module) : permitted.commands.has(commandKey(code));
  if (isPermitted) return;
  const what = 'module' in code ? code.module : `the command ${code.command.join(' ').slice(0, 200)}`;
  if (isAllRefused) {
    throw new SalvoError('CODE_NOT_ALLOWED', `Refused: ${what} is code, and none is executed here. ${WITHOUT_NO_CODE}`);
  }
  throw new SalvoError(
    'CODE_NOT_ALLOWED',
    `This worker does not execute ${what}: its owner did not allow it. Start it with \`salvo worker --allow-code\`, or with the hash of this code.`,
  );
}

function commandKey({ command, cwd, env }: Command): string {
  return JSON.stringify([command, cwd, env]);
}
