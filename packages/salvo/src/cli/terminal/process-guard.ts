import { Console } from 'node:console';
import { ownStack } from '../../text/errors/own-stack.ts';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { exitWork } from '../../text/modules/process-work.ts';
import { safeBlock } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { ownWrite } from './own-write.ts';

const UNSCORED = 3;
const INTERRUPTED = 130;
/** How long the teardowns of hooks may take after a crash. */
const LONGEST_EXIT_MS = 30_000;

const HINTS: ReadonlyMap<string | undefined, string> = new Map([
  ['run', `\`${salvoCommand()} run --resume latest\` completes the run.`],
  ['experiment', `\`${salvoCommand()} experiment --resume latest\` completes the experiment.`],
]);

/**
 * Agents and custom assertions may run in this process. They must not end it in a way that looks like a verdict:
 * `process.exit(0)` in an agent is not a pass, and an uncaught error is not a failed scenario. What they print outside of
 * a trial must not mix with results on standard output. Call the returned function when the command is done.
 */
export function guardProcess(process: NodeJS.Process): () => void {
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.write = ownWrite.stderr;
  process.stderr.write = ownWrite.stderr;
  const hint = HINTS.get(process.argv[2]);
  const complain = (what: string): void => {
    ownWrite.stderr(`${what}\n${hint === undefined ? '' : `${hint}\n`}`);
  };
  const onExit = (code: number): void => {
    // The user pressed Ctrl-C three times, or sent SIGQUIT.
    if (code === INTERRUPTED) return;
    if (code !== UNSCORED) complain('The process was ended by code that runs in it: an agent, or a custom assertion.');
    process.exitCode = UNSCORED;
  };
  process.on('exit', onExit);
  let hasCrashed = false;
  process.on('uncaughtException', (error) => {
    complain(`Uncaught error: ${messageOf(error)}`);
    if (hasCrashed || exitWork.size === 0) process.exit(UNSCORED);
    hasCrashed = true;
    setTimeout(() => process.exit(UNSCORED), LONGEST_EXIT_MS);
    void Promise.allSettled(Array.from(exitWork, (work) => work())).then(() => process.exit(UNSCORED));
  });
  // An agent that forgot to await something has still answered, and its answer is judged as usual.
  process.on('unhandledRejection', (reason) => {
    ownWrite.stderr(`Warning: uncaught error: ${messageOf(reason)}\n`);
  });
  return () => {
    // A command that comes to its end after a crash must not look like a verdict.
    if (!hasCrashed) process.off('exit', onExit);
  };
}

function messageOf(error: unknown): string {
  return safeBlock(ownStack(error, process.cwd()) ?? errorMessage(error));
}
