import type { Command } from 'commander';
import { AGENT_HELP } from './agent-help.ts';
import { type CommandHelp, exitCodes } from './help-entry.ts';
import { addProgramHelp } from './listed-commands.ts';

/** Puts every command into its group, and adds examples, notes and exit codes to its help. */
export function addCommandHelp(program: Command, ofPackages: readonly Readonly<Record<string, CommandHelp>>[]): void {
  const all: Readonly<Record<string, CommandHelp>> = Object.assign({}, AGENT_HELP, ...ofPackages);
  addProgramHelp(program);
  for (const command of program.commands) {
    const help = all[command.name()];
    // A command of an extension may have none.
    if (help === undefined) continue;
    const notes = help.notes === undefined ? '' : `\n${help.notes}\n`;
    command
      .helpGroup(help.group)
      .addHelpText('after', `\nExamples:\n${examples(help)}${notes}\n${exitCodes(help.exitCodes)}`);
  }
}

function examples({ examples }: CommandHelp): string {
  const width = Math.max(...examples.map(([line, what]) => (what === undefined ? 0 : line.length)));
  return examples
    .map(([line, what]) => `  ${what === undefined ? line : `${line.padEnd(width)}   ${what}`}\n`)
    .join('');
}
