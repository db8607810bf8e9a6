import type { Argument, Command, Option } from 'commander';

/** What a shell needs to know about a command to complete it. */
export interface CompletedCommand {
  name: string;
  description: string;
  options: CompletedOption[];
  /** What its arguments are; null if it has none. */
  argument: Values | null;
}

export interface CompletedOption {
  /** With their dashes, such as -n and --trials. */
  names: string[];
  description: string;
  /** What the option takes; null for a switch. */
  takes: Values | null;
  repeatable: boolean;
}

/** `name` is what the help calls the value, such as "file" in `--junit <file>`. */
export type Values = { name: string } & (
  | { kind: 'choices'; choices: readonly string[] }
  | { kind: 'files' | 'folders' | 'unknown' }
);

/** The program itself (without a name) and its commands, as their help shows them. */
export function completedCommands(program: Command): { self: CompletedCommand; commands: CompletedCommand[] } {
  const help = program.createHelp();
  const visible = help.visibleCommands(program);
  const names = visible.map((command) => command.name());
  const complete = (command: Command): CompletedCommand => ({
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map(completedOption),
    argument: argumentOf(command, names),
  });
  return { self: complete(program), commands: visible.map(complete) };
}

function completedOption(option: Option): CompletedOption {
  const names = [option.short, option.long].filter((name) => name !== undefined);
  const name = /[<[]([^<[\]>.]+)/.exec(option.flags)?.[1];
  return {
    names,
    description: option.description,
    takes: name === undefined ? null : valuesOf(name, option.argChoices),
    repeatable: option.variadic || Array.isArray(option.defaultValue),
  };
}

/** An option with several files takes all that follow, so they are completed like arguments. */
function argumentOf(command: Command, commandNames: string[]): Values | null {
  const argument: Argument | undefined = command.registeredArguments[0];
  if (argument !== undefined) {
    return valuesOf(argument.name(), argument.name() === 'command' ? commandNames : argument.argChoices);
  }
  const variadic = command.options.find((option) => option.variadic);
  return variadic === undefined ? null : completedOption(variadic).takes;
}

const FILES = ['file', 'files', 'labels'];

function valuesOf(name: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return { name, kind: 'choices', choices };
  return { name, kind: FILES.includes(name) ? 'files' : name === 'dir' ? 'folders' : 'unknown' };
}
