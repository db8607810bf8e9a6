import type { Command } from 'commander';
import { AGENT_HELP } from './agent-help.ts';
import { type CommandHelp, GROUPS, SCORED } from './help-entry.ts';

/** Puts every command into its group, and adds examples, notes and exit codes to its help. */
export function addCommandHelp(program: Command, ofPackages: readonly Readonly<Record<string, CommandHelp>>[]): void {
  const all: Readonly<Record<string, CommandHelp>> = Object.assign({}, AGENT_HELP, ...ofPackages);
  program.commandsGroup(GROUPS.other).helpCommand('help [command]', 'print the help of a command');
  program.addHelpText('after', `\n${exitCodes(SCORED)}`);
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

function exitCodes(meanings: CommandHelp['exitCodes']): string {
  const lines = Object.entries(meanings).map(([code, meaning]) => `  ${code}  ${meaning}\n`);
  return `Exit codes:\n${lines.join('')}  4  wrong usage or input`;
}
