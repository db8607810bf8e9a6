import { hostname } from 'node:os';
import type { RunRecord } from '../run/run-record.ts';
import { SalvoError } from '../text/salvo-error.ts';

export function thisProcess(): { pid: number; host: string } {
  return { pid: process.pid, host: hostname() };
}

/** Two processes on one run would pay for the same trials twice. */
export function refuseIfAtWork({ run_id, status, owner }: RunRecord): void {
  if (status !== 'running' || owner === null || owner.host !== hostname() || owner.pid === process.pid) return;
  if (!isAlive(owner.pid)) return;
  throw new SalvoError(
    'RUN_AT_WORK',
    `Run ${run_id} is still at work in process ${owner.pid}. Wait for it or stop it with Ctrl-C, then resume.`,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
