import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import { dataFile } from '../../../text/modules/data-file.ts';
import { INLINE_FILE, inlineCommand, readInlineCode } from '../../../text/modules/inline-code.ts';
import { refuseUnpermitted } from '../../../text/modules/permitted-code.ts';

const answerSchema = z.union([
  z.object({ json: z.string().optional(), hasReadTools: z.boolean() }),
  z.object({ error: z.object({ message: z.string(), line: z.number().nullable() }) }),
]);

/** What the code of a text is given. It has to be JSON. */
export interface InlineGiven {
  output: string;
  context: Record<string, unknown>;
}

export interface InlineResult {
  /** Undefined if the code gives nothing. */
  value: unknown;
  /** Whether it looked at the tool calls of `context.trace`, which may not be known. */
  hasReadTools: boolean;
}

/** Threads that have nothing to do. Each has one piece of code at a time, and a hanging one is ended. */
const idle: Worker[] = [];
const MOST_IDLE = 4;
const PATIENCE_MS = 1000;
/** A thread that needs more ends with an error. */
const MEGABYTES = 256;

/**
 * What the code gives. It runs in a thread: if it does not end, the thread is ended with the signal; if it exits or needs
 * too much memory, only the thread is gone. What it prints is dropped.
 */
export async function runInlineCode(
  code: string,
  given: InlineGiven,
  { folder, signal }: { folder: string; signal: AbortSignal },
): Promise<InlineResult> {
  refuseUnpermitted(inlineCommand(code, folder));
  const { source } = readInlineCode(code);
  const thread = idle.pop() ?? startThread();
  thread.ref();
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const onExit = (exitCode: number) => reject(failure(`it ended its thread with the exit code ${exitCode}`));
  const onError = (error: Error) => reject(failure(error.message));
  const onAbort = () => reject(signal.reason);
  thread.once('message', resolve).once('error', onError).once('exit', onExit);
  signal.addEventListener('abort', onAbort, { once: true });
  let isReusable = false;
  try {
    signal.throwIfAborted();
    thread.postMessage({ source, given: JSON.stringify(given), filename: INLINE_FILE });
    const answer = answerSchema.parse(await promise);
    isReusable = true;
    if ('error' in answer) throw failure(answer.error.message, answer.error.line);
    const value = answer.json === undefined ? undefined : jsonOrUndefined(answer.json);
    return { value, hasReadTools: answer.hasReadTools };
  } finally {
    signal.removeEventListener('abort', onAbort);
    thread.off('message', resolve).off('error', onError).off('exit', onExit);
    thread.unref();
    if (isReusable) keepIfIdle(thread);
    else void thread.terminate();
  }
}

/** A thread whose code goes on after its answer is ended. */
function keepIfIdle(thread: Worker): void {
  const timer = setTimeout(() => void thread.terminate(), PATIENCE_MS).unref();
  thread.once('message', () => {
    clearTimeout(timer);
    if (idle.length < MOST_IDLE) idle.push(thread);
    else void thread.terminate();
  });
}

function startThread(): Worker {
  const thread = new Worker(dataFile(import.meta.url, './inline-thread.cjs'), {
    eval: true,
    env: {},
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  });
  for (const stream of [thread.stdout, thread.stderr]) stream.resume();
  // An idle thread that ends is not used again.
  thread
    .on('error', () => undefined)
    .on('exit', () => {
      const index = idle.indexOf(thread);
      if (index >= 0) idle.splice(index, 1);
    });
  return thread;
}

function failure(message: string, line: number | null = null): SalvoError {
  const where = line === null ? '' : ` (line ${line} of the code)`;
  return new SalvoError('JAVASCRIPT_FAILED', `The code failed: ${message}${where}.`);
}
