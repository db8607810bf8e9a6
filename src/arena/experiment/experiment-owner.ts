import { hostname } from 'node:os';
import { SalvoError } from '../../text/salvo-error.ts';
import type { ExperimentRecord } from './experiment-record.ts';

/** Two processes on one experiment would pay for the same games twice. */
export function refuseIfPlaying({ experiment_id, status, owner }: ExperimentRecord): void {
  if (status !== 'running' || owner === null || owner.host !== hostname() || owner.pid === process.pid) return;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return;
  }
  throw new SalvoError(
    'EXPERIMENT_AT_WORK',
    `Experiment ${experiment_id} is still at work in process ${owner.pid}. Wait for it or stop it with Ctrl-C, then resume.`,
  );
}
