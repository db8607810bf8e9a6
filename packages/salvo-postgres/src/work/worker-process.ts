import { spawn } from 'node:child_process';
import type { WorkerDescription } from 'salvo/kit/queue';
import { z } from 'zod';
import type { GrantedVariables } from './granted-variables.ts';

/** A worker in a process of its own, for one run or experiment. */
export type WorkerProcess = ReturnType<typeof startWorkerProcess>;

/** What a worker tells the process that started it. Its reader is told there. */
const refusalSchema = z.object({ refusal: z.string() });

/** Returns false if no process that listens has started this one. */
export function tellParent(message: z.infer<typeof refusalSchema>): boolean {
  return process.connected && process.send?.(message) === true;
}

/** The author of the code gets this advice of Node where the code is. The owner of a worker can do nothing about it. */
const FLAGS = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

/**
 * Starts `salvo worker --run`. It ends with its run, and by itself if this process ends without stopping it. It is in a
 * process group of its own: Ctrl-C in a terminal reaches it only through `stop`.
 */
export function startWorkerProcess(options: {
  command: readonly string[];
  run: string;
  worker: Pick<WorkerDescription, 'labels' | 'concurrency' | 'allowed_code'>;
  granted: GrantedVariables;
  cwd: string;
  env: Record<string, string | undefined>;
  /** Says nothing of what it does. */
  quiet?: boolean | undefined;
}) {
  const [program = process.execPath, ...first] = options.command;
  const { labels, concurrency, allowed_code } = options.worker;
  const allowed = allowed_code === 'all' ? ['--allow-code'] : allowed_code.flatMap((hash) => ['--allow-code', hash]);
  const granted = options.granted === 'all' ? ['--env'] : options.granted.flatMap((each) => ['--env', each]);
  const args = [
    ...(program === process.execPath ? FLAGS : []),
    ...first,
    ...['worker', '--run', options.run, '--concurrency', String(concurrency)],
    ...(labels.length > 0 ? ['--labels', labels.join(',')] : []),
    ...allowed,
    ...granted,
    ...(options.quiet ? ['--quiet'] : []),
  ];
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    // The channel tells the child when this process is gone.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  const { promise: ended, resolve } = Promise.withResolvers<{ code: number | null; refusal: string | null }>();
  let refusal: string | null = null;
  child.on('message', (message) => {
    refusal = refusalSchema.safeParse(message).data?.refusal ?? refusal;
  });
  child.on('exit', (code) => resolve({ code, refusal }));
  child.on('error', () => resolve({ code: null, refusal }));
  return {
    /** As Ctrl-C does there: once to finish what is under way, twice to give it up. */
    stop: () => void child.kill('SIGTERM'),
    /** Resolves with the end of the process. `code` is null if it was killed, `refusal` unless it refused the work. */
    ended,
  };
}
