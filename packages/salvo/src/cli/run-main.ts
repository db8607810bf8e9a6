import { CommanderError } from 'commander';
import { MissingPackageError } from '../extension/load-extension.ts';
import { errorMessage, SalvoError } from '../text/errors/salvo-error.ts';
import { salvoVersion } from '../text/modules/salvo-version.ts';
import { safeBlock } from '../text/output/safe-text.ts';
import { COMMANDS } from './commands.ts';
import { createProgram } from './program/program.ts';
import { guardProcess } from './terminal/process-guard.ts';
import { processTerminal } from './terminal/process-terminal.ts';
import type { Terminal } from './terminal/terminal.ts';

const EXIT_UNSCORED = 3;
const EXIT_WRONG_INPUT = 4;

/** Runs one command line in this process and returns its exit code. */
export async function main(argv: string[]): Promise<number> {
  const release = guardProcess(process);
  const terminal = processTerminal();
  const exitCode = await terminal.finish(await runCommandLine(argv, terminal));
  release();
  return exitCode;
}

/**
 * Runs one command line with any terminal, and returns its exit code.
 * @internal Exported for its tests.
 */
export async function runCommandLine(argv: string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  try {
    const program = await createProgram({
      commands: COMMANDS,
      terminal,
      version: salvoVersion(),
      words: argv.slice(2),
      exit: (code) => {
        exitCode = code;
      },
    });
    await program.parseAsync(argv);
    return exitCode;
  } catch (thrown) {
    const error = firstError(thrown);
    // Commander has already printed the help, the version or what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_INPUT;
    if (error instanceof SalvoError) {
      const { errorText } = await import('./terminal/error-text.ts');
      // Messages quote files, answers and arguments.
      terminal.stderr.write(`${safeBlock(errorText(error).trimEnd())}\n`);
      if (error instanceof MissingPackageError && terminal.ask) {
        const { offerPackage } = await import('./terminal/install-package.ts');
        const code = await offerPackage(error.package, { words: argv.slice(2), terminal });
        if (code !== null) return code;
      }
      return error.outcome === 'unscored' ? EXIT_UNSCORED : EXIT_WRONG_INPUT;
    }
    const message = safeBlock(errorMessage(error));
    terminal.stderr.write(`Internal error: ${message}\nThis is a bug in Salvo. SALVO_DEBUG=1 shows where.\n`);
    if (terminal.env.SALVO_DEBUG && error instanceof Error)
      terminal.stderr.write(`${safeBlock(String(error.stack))}\n`);
    return EXIT_UNSCORED;
  }
}

/** What went wrong first, if closing things afterwards failed as well: mostly for the same reason. */
function firstError(thrown: unknown): unknown {
  let error = thrown;
  while (error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error) error = error.suppressed;
  return error;
}
