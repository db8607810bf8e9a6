import { commandWrite, ownWrite } from './own-write.ts';
import type { Output, Terminal } from './terminal.ts';

/** Without its output, nobody can tell the result of a command. */
const EXIT_NOT_WRITTEN = 3;

/** The terminal of this process, with Ctrl-C once to stop, twice to abort, three times to leave at once. */
export function processTerminal(): Terminal {
  const stop = new AbortController();
  const abort = new AbortController();
  const onSignal = (): void => {
    if (abort.signal.aborted) process.exit(130);
    (stop.signal.aborted ? abort : stop).abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: outputOf(process.stdout, 'stdout'),
    stderr: outputOf(process.stderr, 'stderr'),
    stop: stop.signal,
    abort: abort.signal,
  };
}

/** The reader has left: `head` has enough lines, or the terminal was closed. */
const READER_LEFT: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

function outputOf(stream: NodeJS.WriteStream, name: 'stdout' | 'stderr'): Output {
  const { env } = process;
  let closed = false;
  // The work goes on, so that the exit code is its result: `salvo validate | head` must not be 0 for wrong files.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    closed = true;
    if (READER_LEFT.has(error.code)) return;
    ownWrite.stderr(`Could not write to standard ${name === 'stdout' ? 'output' : 'error'}: ${error.message}.\n`);
    process.exit(EXIT_NOT_WRITTEN);
  });
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const refused = (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb';
  return {
    write: (text, options) => {
      if (!closed) (options?.commands ? commandWrite : ownWrite)[name](text);
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
