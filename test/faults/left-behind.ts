import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const GRACE_MS = 30_000;

/**
 * All programs that the fault suite starts work below one folder for temporary files. The returned function fails when
 * one of them is still there at the end.
 */
export default function watchProcesses(): () => Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'salvo-faults-')));
  // PostgreSQL does not run as root: its user must be able to reach its files.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return async () => {
    const deadline = Date.now() + GRACE_MS;
    while (processesIn(folder).length > 0 && Date.now() < deadline) await sleep(100);
    const left = processesIn(folder);
    rmSync(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    process.exitCode = 1;
    throw new Error(`Processes were left behind:\n${left.join('\n')}`);
  };
}

/** The command lines of other processes that work in the folder, or that were told to. Only Linux says so. */
function processesIn(folder: string): string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && Number(name) !== process.ppid)
    .filter((pid) => workingFolder(pid).startsWith(folder) || read(`/proc/${pid}/environ`).includes(`TMPDIR=${folder}`))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`)
    .filter((line) => !line.includes('vitest'));
}

function workingFolder(pid: string): string {
  try {
    return realpathSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It has ended, or belongs to someone else.
    return '';
  }
}
