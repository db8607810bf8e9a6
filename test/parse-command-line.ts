import type { Commands } from '../packages/salvo/src/cli/program/command-options.ts';
import { createProgram } from '../packages/salvo/src/cli/program/program.ts';
import type { Output, Terminal } from '../packages/salvo/src/cli/terminal/terminal.ts';
import { ARENA_COMMANDS } from '../packages/salvo-arena/src/cli/commands.ts';
import { WORKER_COMMANDS } from '../packages/salvo-postgres/src/cli/commands-door.ts';

interface Called {
  command: string;
  options: unknown;
}

/** Parses words with commands that only record how they were called. `text` is all that was printed. */
export async function parseCommandLine(words: string[]) {
  const called: Called[] = [];
  const exits: number[] = [];
  let text = '';
  const output: Output = {
    write: (part) => {
      text += part;
    },
    isTTY: false,
    columns: 80,
    color: false,
  };
  const never = new AbortController().signal;
  const terminal: Terminal = { cwd: '/', env: {}, stdout: output, stderr: output, stop: never, abort: never };
  const recorded = (command: string) => async (options: unknown) => {
    called.push({ command, options });
    return 0;
  };
  const commands = new Proxy<Partial<Commands>>({}, { get: (_, command: string) => recorded(command) }) as Commands;
  // Packages bring their own commands, whose definitions have them from these objects.
  const ofPackages = [ARENA_COMMANDS, WORKER_COMMANDS].map((own) => ({ own, real: { ...own } }));
  for (const { own } of ofPackages) {
    Object.assign(own, Object.fromEntries(Object.keys(own).map((name) => [name, recorded(name)])));
  }
  const program = await createProgram({ commands, terminal, version: '9.9.9', exit: (code) => exits.push(code) });
  const failure = await program.parseAsync(words, { from: 'user' }).then(
    () => null,
    (error: unknown) => error,
  );
  for (const { own, real } of ofPackages) Object.assign(own, real);
  return { called, exits, text, failure, names: program.commands.map((command) => command.name()) };
}
