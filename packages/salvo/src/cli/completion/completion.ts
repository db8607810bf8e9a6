import type { Commands, Shell } from '../program/command-options.ts';
import { createProgram } from '../program/program.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { bashScript } from './bash-script.ts';
import { completedCommands } from './completed-commands.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `salvo completion`: from the definition of the command line, so that it cannot differ from it. */
export async function completionCommand(
  { shell }: { shell: Shell },
  terminal: Terminal,
  commands: Commands,
): Promise<number> {
  const { self, commands: completed } = completedCommands(
    await createProgram({ commands, terminal, version: '', exit: () => {} }),
  );
  terminal.stdout.write(SCRIPTS[shell](self, completed));
  return 0;
}
