import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RunRecord } from '../../run/record/run-record.ts';

/** The run waits for it: in a huge repository the commit stays unknown. */
const LONGEST_MS = 2000;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The commit of the folder's repository, and whether tracked files differ from it. Null without a repository or a
 * commit, and if git cannot tell. Files that git does not track are left aside: reports and stores are often such.
 */
export async function gitState(folder: string): Promise<RunRecord['git']> {
  if (!isInRepository(folder)) return null;
  try {
    const execute = promisify((await import('node:child_process')).execFile);
    const { stdout } = await execute('git', STATUS, { cwd: folder, timeout: LONGEST_MS, maxBuffer: MOST_BYTES });
    const lines = stdout.split('\n');
    const commit = /^# branch\.oid ([0-9a-f]{40,64})$/.exec(lines[0] ?? '')?.[1];
    return commit === undefined ? null : { commit, dirty: lines.some((line) => /^[^#]/.test(line)) };
  } catch {
    return null;
  }
}

/** Takes no lock, so that it disturbs no other git; starts no program that the repository names to watch files. */
const STATUS = [
  ...['--no-optional-locks', '-c', 'core.fsmonitor=false'],
  ...['status', '--porcelain=v2', '--branch', '--untracked-files=no'],
];

/** Looks before a process is started: most folders of tests and containers are in no repository. */
function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (dirname(at) === at) return false;
  }
}
