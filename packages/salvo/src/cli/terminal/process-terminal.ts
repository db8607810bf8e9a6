import { commandWrite, ownWrite } from './own-write.ts';
import type { Output, Terminal } from './terminal.ts';

const UNSCORED = 3;
const LEFT = 130;

export interface ProcessTerminal extends Terminal {
  /** Waits until all output is written, and returns the exit code for a command that ended with `exitCode`. */
  finish(exitCode: number): Promise<number>;
}

/**
 * The terminal of this process, with Ctrl-C once to stop, twice to abort, three times to leave at once. SIGTERM, and
 * SIGHUP of a terminal that was closed, are the same as Ctrl-C, unless the command can leave its work to others. SIGQUIT leaves at once; it is handled here because
 * agents and scanners only end with this process if it ends by `process.exit`.
 */
export function processTerminal(): ProcessTerminal {
  const stop = new AbortController();
  const abort = new AbortController();
  const hangUp = new AbortController();
  let canBeLeft = false;
  const leave = (): never => process.exit(LEFT);
  const onSignal = (): void => {
    if (abort.signal.aborted) leave();
    (stop.signal.aborted ? abort : stop).abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  process.on('SIGHUP', () => (canBeLeft ? hangUp.abort() : onSignal()));
  process.on('SIGQUIT', leave);
  const stdout = outputOf(process.stdout, 'stdout');
  const stderr = outputOf(process.stderr, 'stderr');
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout,
    stderr,
    stop: stop.signal,
    abort: abort.signal,
    leave() {
      canBeLeft = true;
      return hangUp.signal;
    },
    // node:tty brings all of node:net along, so it is loaded only if standard error is a terminal and has it already.
    ask: stderr.isTTY && !process.env.CI && process.getBuiltinModule('node:tty').isatty(0) ? askHere : undefined,
    async finish(exitCode) {
      await flush(ownWrite.stdout);
      const { failure } = stdout;
      if (failure !== null) stderr.write(`Could not write to standard output: ${failure}.\n`);
      await flush(ownWrite.stderr);
      // A result that nobody can read is no pass. A failure is still one.
      return failure !== null && exitCode === 0 ? UNSCORED : exitCode;
    },
  };
}

/** Ctrl-C and Ctrl-D are no answer. */
async function askHere(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const { promise: left, resolve: leave } = Promise.withResolvers<string>();
  lines.once('close', () => leave(''));
  const answer = await Promise.race([lines.question(question), left]);
  lines.close();
  return answer;
}

function flush(write: typeof ownWrite.stdout): Promise<void> {
  return new Promise((resolve) => write('', () => resolve()));
}

/** The reader has left: `head` has enough lines, or the terminal was closed. */
const READER_LEFT: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

function outputOf(stream: NodeJS.WriteStream, name: 'stdout' | 'stderr'): Output & { readonly failure: string | null } {
  const { env } = process;
  let closed = false;
  let failure: string | null = null;
  // The work goes on, so that the exit code is its result and the files asked for are written.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    closed = true;
    if (!READER_LEFT.has(error.code)) failure ??= error.message;
  });
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const refused = (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb';
  return {
    write: (text, options) => {
      if (!closed) (options?.commands ? commandWrite : ownWrite)[name](text);
    },
    get failure() {
      return failure;
    },
    get closed() {
      return closed;
    },
    isTTY: stream.isTTY === true,
    get columns() {
      // A log is as wide as it needs to be. A window of unknown width is narrow.
      return stream.columns || Number(env.COLUMNS) || (stream.isTTY ? 80 : 120);
    },
    color: !refused && (forced || stream.isTTY === true),
  };
}

/** How this command was started, for processes that it starts itself. */
export function salvoCommand(): string[] {
  return [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)];
}
