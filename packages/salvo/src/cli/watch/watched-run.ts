import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';

const VARIABLE = 'SALVO_WATCHED';

/** What a run in a process of its own is told. Null: the files of the command line. */
const requestSchema = z.object({ files: z.array(z.string()).nullable() });
export type WatchedRequest = z.infer<typeof requestSchema>;

/** What it reports: the files of the scenarios that ran, and whether each passed. */
const resultSchema = z.object({ scenarios: z.array(z.object({ file: z.string(), passed: z.boolean() })) });
export type WatchedResult = z.infer<typeof resultSchema>;

export interface WatchedRun {
  exitCode: number;
  /** Null if it had no result, such as for a file with errors. */
  result: WatchedResult | null;
}

/**
 * Starts the same command line in a process of its own. Modules of the user are loaded once in a process, so only a new
 * one sees what changed in them and in what they import.
 */
export function startWatchedRun(request: WatchedRequest): { child: ChildProcess; finished: Promise<WatchedRun> } {
  // Signals of the terminal reach only this process, which passes them on.
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [VARIABLE]: '1' },
    detached: process.platform !== 'win32',
  });
  let result: WatchedResult | null = null;
  child.on('message', (message) => {
    result = resultSchema.safeParse(message).data ?? result;
  });
  child.on('error', () => {});
  child.send(request, () => {});
  const finished = once(child, 'exit').then(([code]) => ({ exitCode: typeof code === 'number' ? code : 3, result }));
  return { child, finished };
}

/** Null if this process was not started by a watching one. */
export async function watchedRequest(env: Record<string, string | undefined>): Promise<WatchedRequest | null> {
  if (env[VARIABLE] === undefined || process.send === undefined) return null;
  // Without the watching process nobody would see the result.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  const [message] = await once(process, 'message');
  return requestSchema.parse(message);
}

export async function reportWatchedResult(result: WatchedResult): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.send) process.send(result, () => resolve());
    else resolve();
  });
}
