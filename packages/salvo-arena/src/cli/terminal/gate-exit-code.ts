import type { GateOutcome } from '../../match/results/score-gate.ts';

/** The exit code of scores. Unscored outweighs failed: how much of it would have passed is unknown. */
export function gateExitCode(gates: readonly Pick<GateOutcome, 'status'>[]): number {
  if (gates.some(({ status }) => status === 'unscored')) return 3;
  return gates.some(({ status }) => status === 'failed') ? 1 : 0;
}
