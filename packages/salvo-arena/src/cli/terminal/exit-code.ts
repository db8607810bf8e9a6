import type { Terminal } from 'salvo/kit/cli';
import type { GateOutcome } from '../../match/results/score-gate.ts';

/** The exit code of scores. Unscored outweighs failed: how much of it would have passed is unknown. */
export function gateExitCode(gates: readonly Pick<GateOutcome, 'status'>[]): number {
  if (gates.some(({ status }) => status === 'unscored')) return 3;
  return gates.some(({ status }) => status === 'failed') ? 1 : 0;
}

/** What a command works on; null if the user stopped it, which it says: it then exits with 3. */
export async function unlessStopped<T>(
  who: string,
  { stop, stderr }: Terminal,
  work: Promise<T>,
  lost = 'written',
): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (!stop.aborted) throw error;
    stderr.write(`\n${who} was stopped, and nothing was ${lost}.\n`);
    return null;
  }
}
