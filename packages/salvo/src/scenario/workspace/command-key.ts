import { splitCommandLine } from '../../adapters/program/command-line.ts';
import { contentHash } from '../../text/json/canonical-json.ts';
import type { AssertionOf } from '../schema/assertion-schema.ts';

export type CommandAssertion = AssertionOf<'command_succeeds'>;

/** Identifies what is run, so that a stored result is only used for the same command. */
export function commandKey({ command, cwd, env, timeout_seconds }: CommandAssertion): string {
  return contentHash([commandWords(command), cwd ?? '.', env ?? [], timeout_seconds]).slice(0, 32);
}

/** The program and its arguments. */
export function commandWords(command: CommandAssertion['command']): string[] {
  return typeof command === 'string' ? splitCommandLine(command) : command;
}
