import type { ChildProcess } from 'node:child_process';

/** How long a program may take to clean up after SIGTERM. */
const TERMINATION_GRACE_MS = 2000;

const running = new Set<ChildProcess>();
/** Got SIGTERM. The program itself may have ended while a process that it started has not. */
const ending = new Set<ChildProcess>();

/**
 * Ends the program when this process exits: in a process group of its own, it does not receive our Ctrl-C. On Windows,
 * where there are no process groups, only the program itself is ended.
 */
export function watchProcessGroup(child: ChildProcess): void {
  if (running.size === 0) process.once('exit', killAll);
  running.add(child);
  child.once('exit', () => !ending.has(child) && forget(child));
  child.once('error', () => forget(child));
}

/** Sends SIGTERM to a program and all it started, and SIGKILL a little later. */
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
    // No process of the group is left.
  }
}
