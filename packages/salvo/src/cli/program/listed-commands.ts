import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { extensionFile, KNOWN_PACKAGES } from '../../extension/load-extension.ts';
import { findProjectFile } from '../../scenario/project-file.ts';
import { exitCodes, GROUPS, SCORED } from './help-entry.ts';

/**
 * A command as `salvo --help` lists it.
 * @internal Exported for the build, which writes the lists.
 */
export interface ListedCommand {
  /** Its name and its arguments, such as `run [files...]`. */
  usage: string;
  description: string;
  group: string;
}

/** The build writes the commands of each package to this file of its dist/, so that the help executes no definition. */
const LIST = 'commands.json';

/**
 * Adds all commands without what they do, for `salvo --help`. False if not all are known without executing code: those of
 * plugins are not, and the sources have no lists.
 */
export function addListedCommands(program: Command, cwd: string): boolean {
  const own = readList(new URL(`../${LIST}`, import.meta.url));
  if (own === null || mayHavePlugins(cwd)) return false;
  const entries = KNOWN_PACKAGES.flatMap(({ name }) => extensionFile(name, cwd) ?? []);
  const lists = [own, ...entries.map((entry) => readList(new URL(LIST, entry)))];
  for (const list of lists) {
    if (list === null) return false;
    for (const { usage, description, group } of list) program.command(usage).description(description).helpGroup(group);
  }
  addProgramHelp(program);
  return true;
}

/** What the help of the program says beside its commands. */
export function addProgramHelp(program: Command): void {
  program.commandsGroup(GROUPS.other).helpCommand('help [command]', 'print the help of a command');
  program.addHelpText('after', `\n${exitCodes(SCORED)}`);
}

/** Most projects have none, and to check all settings takes longer than to print the help. */
export function mayHavePlugins(cwd: string): boolean {
  const file = findProjectFile(resolve(cwd));
  return file !== null && readFileSync(file, 'utf8').includes('plugins');
}

/** Null if there is none. */
function readList(file: URL): ListedCommand[] | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
