import { ownWrite } from './own-write.ts';
import type { Output, Terminal } from './terminal.ts';

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
  // `salvo report | head` closes the pipe, which is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: outputOf(process.stdout, ownWrite.stdout),
    stderr: outputOf(process.stderr, ownWrite.stderr),
    stop: stop.signal,
    abort: abort.signal,
  };
}

function outputOf(stream: NodeJS.WriteStream, write: (text: string) => boolean): Output {
  const { env } = process;
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const refused = (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb';
  return {
    write: (text) => {
      write(text);
    },
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns || Number(env.COLUMNS) || 80;
    },
    color: !refused && (forced || stream.isTTY === true),
  };
}
