import { readFileSync } from 'node:fs';
import { errorCode } from '../packages/salvo/src/text/errors/salvo-error.ts';

/** Whether a process is at work. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie is dead, but in a container without an init process nobody removes it.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
