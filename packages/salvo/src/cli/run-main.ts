import { CommanderError } from 'commander';
import { MissingPackageError } from '../extension/load-extension.ts';
import { errorMessage, SalvoError } from '../text/errors/salvo-error.ts';
import { beforeLargeLoad } from '../text/modules/process-work.ts';
import { salvoVersion } from '../text/modules/salvo-version.ts';
import { safeBlock } from '../text/output/safe-text.ts';
import type { Commands } from './program/command-options.ts';
import { createProgram } from './program/program.ts';
import { guardProcess } from './terminal/process-guard.ts';
import { processTerminal } from './terminal/process-terminal.ts';
import type { Terminal } from './terminal/terminal.ts';

const EXIT_UNSCORED = 3;
const EXIT_WRONG_INPUT = 4;

/** Runs one command line in this process and returns its exit code. */
export async function main(argv: string[], onLargeLoad: () => void): Promise<number> {
  beforeLargeLoad.add(onLargeLoad);
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

/**
 * Each module is loaded when its command runs, so that no command imports what it does not need.
 * @internal Exported for the build, which lists the commands.
 */
export const COMMANDS: Commands = {
  init: async (options, terminal) => (await import('./project/init.ts')).initCommand(options, terminal),
  validate: async (options, terminal) => (await import('./project/validate.ts')).validateCommand(options, terminal),
  scenario: async (options, terminal) => (await import('./project/scenario.ts')).scenarioCommand(options, terminal),
  run: async (options, terminal) => (await import('./runs/run.ts')).runCommand(options, terminal),
  merge: async (options, terminal) => (await import('./runs/merge.ts')).mergeCommand(options, terminal),
  chaos: async (options, terminal) => (await import('./runs/chaos.ts')).chaosCommand(options, terminal),
  report: async (options, terminal) => (await import('./results/report.ts')).reportCommand(options, terminal),
  compare: async (options, terminal) => (await import('./results/compare.ts')).compareCommand(options, terminal),
  baseline: async (options, terminal) => (await import('./results/baseline.ts')).baselineCommand(options, terminal),
  db: async (options, terminal) => (await import('./results/db.ts')).dbCommand(options, terminal),
  plan: async (options, terminal) => (await import('./runs/plan.ts')).planCommand(options, terminal),
  view: async (options, terminal) => (await import('./results/view.ts')).viewCommand(options, terminal),
  replay: async (options, terminal) => (await import('./results/replay.ts')).replayCommand(options, terminal),
  mutate: async (options, terminal) => (await import('./results/mutate.ts')).mutateCommand(options, terminal),
  reeval: async (options, terminal) => (await import('./results/reeval.ts')).reevalCommand(options, terminal),
  judgeCheck: async (options, terminal) =>
    (await import('./judges/judge-check.ts')).judgeCheckCommand(options, terminal),
  calibrate: async (options, terminal) => (await import('./judges/calibrate.ts')).calibrateCommand(options, terminal),
  rank: async (options, terminal) => (await import('./judges/rank.ts')).rankCommand(options, terminal),
  export: async (options, terminal) => (await import('./results/export.ts')).exportCommand(options, terminal),
  import: async (options, terminal) => (await import('./results/import.ts')).importCommand(options, terminal),
  migrate: async (options, terminal) => (await import('./results/migrate.ts')).migrateCommand(options, terminal),
  schema: async (options, terminal) => (await import('./project/schema.ts')).schemaCommand(options, terminal),
  adapters: async (options, terminal) => (await import('./project/adapters.ts')).adaptersCommand(options, terminal),
  demo: async (options, terminal) => (await import('./project/demo.ts')).demoCommand(options, terminal, COMMANDS),
  completion: async (options, terminal) =>
    (await import('./completion/completion.ts')).completionCommand(options, terminal, COMMANDS),
};
