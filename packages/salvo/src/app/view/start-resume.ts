import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../store/store.ts';
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
 * Starts `salvo run --resume` in a process of its own, as agents run in it: they may print, crash and outlive the
 * viewer. Resolves once it works on the run; throws with what it printed if it ended before.
 */
export async function startResume({
  command: [program = process.execPath, ...first],
  cwd,
  env,
  args,
  store,
  runId,
}: SalvoProgram & { args: readonly string[]; store: Store; runId: string }): Promise<void> {
  const before = await revisionOf(store, runId);
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
  // The viewer does not wait for the run when it ends.
  child.unref();
  if ('unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref();
  const deadline = performance.now() + LONGEST_START_MS;
  while (performance.now() < deadline) {
    const hasEnded = ended;
    // A short run may have begun and ended since the last look.
    if ((await revisionOf(store, runId)) !== before) return;
    if (hasEnded !== null) throw cannotResume(runId, printed.trim() || hasEnded);
    await sleep(LOOK_MS);
  }
}

function cannotResume(runId: string, why: string): SalvoError {
  return new SalvoError('RUN_NOT_RESUMED', `Run ${runId} could not be resumed. ${why}`);
}

async function revisionOf(store: Store, runId: string): Promise<number | null> {
  return (await store.runRevisions()).find(({ run_id }) => run_id === runId)?.revision ?? null;
}
