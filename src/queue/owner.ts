import { hostname } from 'node:os';
import { z } from 'zod';
import { textFree } from '../secrets/text-marks.ts';
import { SalvoError } from '../text/salvo-error.ts';

/** The process that works on a run or an experiment. */
export const ownerSchema = z.object({ pid: z.int(), host: textFree(z.string()) });

export type Owner = z.infer<typeof ownerSchema>;

export function thisProcess(): Owner {
  return { pid: process.pid, host: hostname() };
}

/** The other process that works on it, as far as can be told from this machine; null if there is none. */
export function workingProcess({ status, owner }: { status: string; owner: Owner | null }): Owner | null {
  if (status !== 'running' || owner === null || owner.host !== hostname() || owner.pid === process.pid) return null;
  return isAlive(owner.pid) ? owner : null;
}

/** Throws when another living process works on it: two processes would pay for the same trials or games twice. */
export function refuseIfAtWork(work: {
  kind: 'run' | 'experiment';
  id: string;
  status: string;
  owner: Owner | null;
}): void {
  const { kind, id } = work;
  const owner = workingProcess(work);
  if (owner === null) return;
  throw new SalvoError(
    kind === 'run' ? 'RUN_AT_WORK' : 'EXPERIMENT_AT_WORK',
    `${kind === 'run' ? 'Run' : 'Experiment'} ${id} is still at work in process ${owner.pid}. Wait for it or stop it with Ctrl-C, then resume.`,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
