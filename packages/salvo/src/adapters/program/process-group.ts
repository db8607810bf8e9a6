import type { ChildProcess } from 'node:child_process';

/** How long a program may take to clean up after SIGTERM. */
const TERMINATION_GRACE_MS = 2000;

/** Groups that may have processes. A program may have ended while a process that it started has not. */
const groups = new Map<ChildProcess, NodeJS.Timeout | null>();

/**
 * Ends the group when this process exits: in a process group of its own, a program does not receive our Ctrl-C. On
 * Windows, where there are no process groups, only the program itself is ended.
 */
export function watchProcessGroup(child: ChildProcess): void {
  if (groups.size === 0) process.once('exit', killAll);
  groups.set(child, null);
  child.once('error', () => child.pid === undefined && forget(child));
}

/** Sends SIGTERM to all processes of the group, and SIGKILL a little later to those that are left. */
export function endProcessGroup(child: ChildProcess): void {
  // Signal 0 only asks whether a process of the group is left.
  if (!signalGroup(child, 0)) forget(child);
  // Not watched any more, or already told to end.
  if (groups.get(child) !== null) return;
  signalGroup(child, 'SIGTERM');
  const later = setTimeout(() => {
    killProcessGroup(child);
    forget(child);
  }, TERMINATION_GRACE_MS);
  groups.set(child, later.unref());
}

export function killProcessGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGKILL');
}

function forget(child: ChildProcess): void {
  clearTimeout(groups.get(child) ?? undefined);
  groups.delete(child);
  if (groups.size === 0) process.off('exit', killAll);
}

function killAll(): void {
  for (const child of groups.keys()) killProcessGroup(child);
}

/** False if no process of the group is left. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.platform === 'win32' ? child.kill(signal) : process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** An idle process must not keep the program that uses Salvo from ending. */
export function holdProcess(child: ChildProcess, isHeld: boolean): void {
  const handles = [child, child.channel, child.stdin, child.stdout, child.stderr];
  for (const handle of handles) {
    const change: unknown = handle && Reflect.get(handle, isHeld ? 'ref' : 'unref');
    if (typeof change === 'function') Reflect.apply(change, handle, []);
  }
}
