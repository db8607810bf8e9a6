import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { errorCode } from '../../text/errors/salvo-error.ts';
import { endProcessGroup, killProcessGroup, watchProcessGroup } from './process-group.ts';

export interface Program {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Written to its stdin, which is then closed. */
  input: string;
  maxOutputBytes: number;
  /** Receives what it writes to stderr, as it comes. */
  onStderr?: ((text: string) => void) | undefined;
  /** Ends the program and everything it started. */
  signal: AbortSignal;
}

export interface ProgramResult {
  stdout: string;
  /** The last few kilobytes of stderr, where programs say why they failed. */
  stderrTail: string;
  exitCode: number | null;
  /** The signal that ended the program, if any. */
  endedBy: NodeJS.Signals | null;
  /** The program was ended because it wrote more than allowed; `stdout` is empty. */
  outputTooLarge: boolean;
}

/** How long to wait for a background process that holds the pipes of a program that has ended. */
const PIPE_GRACE_MS = 1000;
export const STDERR_TAIL_CHARACTERS = 8192;

/**
 * Runs a program without a shell, in a process group of its own. Processes that it leaves behind are ended with it.
 * Rejects when it cannot be started.
 */
export function runProgram(program: Program): Promise<ProgramResult> {
  const { file, args, cwd, env, input, signal } = program;
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>();
  // In a group of its own, so that a signal also reaches the program's own children.
  const child = spawn(file, args, { cwd, env, detached: process.platform !== 'win32', windowsHide: true });
  watchProcessGroup(child);
  child.once('error', reject);
  // Without a free file handle, the child has no streams, whatever its type says.
  if (child.pid === undefined) return promise;
  const output = collectOutput(child, program);
  const onAbort = () => endProcessGroup(child);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  let grace: NodeJS.Timeout | undefined;
  const settle = () => {
    clearTimeout(grace);
    signal.removeEventListener('abort', onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
    endProcessGroup(child);
    resolve({ ...output(), exitCode: child.exitCode, endedBy: child.signalCode });
  };
  child.once('exit', () => {
    grace = setTimeout(settle, PIPE_GRACE_MS);
  });
  child.once('close', settle);

  // A program may end without reading its input, which is not an error.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return promise;
}

function collectOutput(child: ChildProcessWithoutNullStreams, { maxOutputBytes: maxBytes, onStderr }: Program) {
  const chunks: Buffer[] = [];
  let size = 0;
  let stderrTail = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const wasWithin = size <= maxBytes;
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else if (wasWithin) {
      chunks.length = 0;
      killProcessGroup(child);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    onStderr?.(text);
    stderrTail = (stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
  });
  return () => ({ stdout: Buffer.concat(chunks).toString('utf8'), stderrTail, outputTooLarge: size > maxBytes });
}

const START_PROBLEMS: ReadonlyMap<string | undefined, string> = new Map([
  ['EMFILE', 'too many open files. Raise the limit (ulimit -n) or lower the concurrency'],
  ['ENFILE', 'too many open files on this machine. Lower the concurrency'],
  ['EAGAIN', 'too many processes. Raise the limit (ulimit -u) or lower the concurrency'],
  ['ENOMEM', 'not enough memory. Lower the concurrency'],
]);

/** What this machine lacks at the moment to start one more program; undefined if something else is wrong. */
export function missingResource(cause: unknown): string | undefined {
  return START_PROBLEMS.get(errorCode(cause));
}
