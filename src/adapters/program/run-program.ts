import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { endProcessGroup, killProcessGroup, watchProcessGroup } from './process-group.ts';

interface Program {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Written to its stdin, which is then closed. */
  input: string;
  maxOutputBytes: number;
  /** Ends the program and everything it started. */
  signal: AbortSignal;
}

export interface ProgramResult {
  stdout: string;
  /** Its last few kilobytes: where programs say why they failed. */
  stderrTail: string;
  exitCode: number | null;
  /** The signal that ended it, if one did. */
  endedBy: NodeJS.Signals | null;
  /** It wrote more than allowed and was ended for it; `stdout` is empty then. */
  outputTooLarge: boolean;
}

/** A background process may hold the pipes of a program that has long ended: wait for it no longer than this. */
const PIPE_GRACE_MS = 1000;
const STDERR_TAIL_CHARACTERS = 8192;

/** Runs a program without a shell, in a process group of its own. Rejects when it cannot be started. */
export function runProgram({ file, args, cwd, env, input, maxOutputBytes, signal }: Program): Promise<ProgramResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>();
  // A group of its own: a signal then reaches the program's own children too.
  const child = spawn(file, args, { cwd, env, detached: process.platform !== 'win32', windowsHide: true });
  watchProcessGroup(child);
  const output = collectOutput(child, maxOutputBytes);
  const onAbort = () => endProcessGroup(child);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  let grace: NodeJS.Timeout | undefined;
  const settle = () => {
    clearTimeout(grace);
    signal.removeEventListener('abort', onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
    resolve({ ...output(), exitCode: child.exitCode, endedBy: child.signalCode });
  };
  child.once('error', (error) => {
    signal.removeEventListener('abort', onAbort);
    reject(error);
  });
  child.once('exit', () => {
    grace = setTimeout(() => {
      killProcessGroup(child);
      settle();
    }, PIPE_GRACE_MS);
  });
  child.once('close', settle);

  // A program may end without reading its input; that alone is no failure.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return promise;
}

function collectOutput(child: ChildProcessWithoutNullStreams, maxBytes: number) {
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
    stderrTail = (stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
  });
  return () => ({ stdout: Buffer.concat(chunks).toString('utf8'), stderrTail, outputTooLarge: size > maxBytes });
}
