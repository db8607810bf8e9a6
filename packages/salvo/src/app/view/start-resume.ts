import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Work } from '../../queue/lease.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';

/** How the `salvo` command is started. */
export interface SalvoProgram {
  /** The program and its first arguments. */
  command: readonly string[];
  cwd: string;
  env: Record<string, string | undefined>;
}

const LOOK_MS = 50;
const LONGEST_START_MS = 30_000;
const MOST_SHOWN = 4000;

/**
 * Starts `salvo run --resume`, or the command of another kind of work, in a process of its own, as agents run in it: they
 * may print, crash and outlive the viewer. Resolves once `revision` changes, because the process is at work; throws with
 * what it printed if it ended before.
 */
export async function startResume({
  command: [program = process.execPath, ...first],
  cwd,
  env,
  args,
  work,
  revision,
}: SalvoProgram & { args: readonly string[]; work: Work; revision: () => Promise<unknown> }): Promise<void> {
  const before = await revision();
  const child = spawn(program, [...first, ...args], {
    cwd,
    env: { ...env, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let printed = '';
  let ended: string | null = null;
  child.on('error', (error) => {
    ended = error.message;
  });
  child.on('exit', (code) => {
    ended ??= `It ended with exit code ${code}.`;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-MOST_SHOWN);
  });
  // The viewer does not wait for the work when it ends.
  child.unref();
  if ('unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref();
  const deadline = performance.now() + LONGEST_START_MS;
  while (performance.now() < deadline) {
    const hasEnded = ended;
    // Short work may have begun and ended since the last look.
    if ((await revision()) !== before) return;
    if (hasEnded !== null) throw cannotResume(work, printed.trim() || hasEnded);
    await sleep(LOOK_MS);
  }
}

function cannotResume({ kind, id }: Work, why: string): SalvoError {
  return new SalvoError('RUN_NOT_RESUMED', `The ${kind} ${id} could not be resumed. ${why}`);
}
