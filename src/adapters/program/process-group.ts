import type { ChildProcess } from 'node:child_process';

/** How long a program may take to tidy up after SIGTERM. */
const TERMINATION_GRACE_MS = 2000;

const running = new Set<ChildProcess>();
/** Asked to end: the program itself may be gone while something it started still is not. */
const ending = new Set<ChildProcess>();

/**
 * Sees to it that no program outlives us: in a group of its own, it does not get the Ctrl-C that ends us. On Windows,
 * where there are no process groups, only the program itself is ended.
 */
export function watchProcessGroup(child: ChildProcess): void {
  if (running.size === 0) process.once('exit', killAll);
  running.add(child);
  child.once('exit', () => !ending.has(child) && forget(child));
  child.once('error', () => forget(child));
}

/** Asks a program and all it started to end, and makes them a little later. */
export function endProcessGroup(child: ChildProcess): void {
  ending.add(child);
  signalGroup(child, 'SIGTERM');
  const later = setTimeout(() => {
    killProcessGroup(child);
    ending.delete(child);
    forget(child);
  }, TERMINATION_GRACE_MS);
  later.unref();
}

export function killProcessGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGKILL');
}

function forget(child: ChildProcess): void {
  running.delete(child);
  if (running.size === 0) process.off('exit', killAll);
}

function killAll(): void {
  for (const child of running) killProcessGroup(child);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
