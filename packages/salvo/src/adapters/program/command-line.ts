import { resolve } from 'node:path';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Command } from '../../text/modules/permitted-code.ts';
import type { AdapterOptions } from '../adapter-options-schema.ts';

/**
 * Splits a command line into words as a POSIX shell would: single quotes keep everything, double quotes and a
 * backslash protect blanks. Nothing else is interpreted: no variables, no globs, no pipes. In Windows paths, use
 * forward slashes or a list of words.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (character === quote) {
      quote = undefined;
    } else if (character === '\\' && escapes(quote, line.charAt(index + 1))) {
      index += 1;
      if (index >= line.length) throw commandLineError(line, 'ends with a lone backslash');
      word = (word ?? '') + line.charAt(index);
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined) throw commandLineError(line, `has a ${quote} without its partner`);
  if (word !== undefined) words.push(word);
  if (words.length === 0) throw commandLineError(line, 'is empty');
  return words;
}

function escapes(quote: '"' | "'" | undefined, next: string): boolean {
  if (quote === undefined) return true;
  return quote === '"' && (next === '"' || next === '\\' || next === '$' || next === '`');
}

function commandLineError(line: string, problem: string): SalvoError {
  return new SalvoError('COMMAND_INVALID', `The command ${JSON.stringify(line)} ${problem}.`);
}

/** The program of an `exec` adapter, as it is started. */
export function commandOf(options: Extract<AdapterOptions, { type: 'exec' }>, root: string): Command {
  const command = typeof options.command === 'string' ? splitCommandLine(options.command) : options.command;
  return { command, cwd: resolve(root, options.cwd ?? '.'), env: options.env ?? [] };
}
