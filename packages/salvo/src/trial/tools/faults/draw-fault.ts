import type { Fault } from '../../../scenario/schema/tool-schema.ts';

/**
 * The fault of a call, or null: at most one, each with its own chance. Faults at chosen calls go first, and the others share the
 * chance that these leave. One random number decides whether there is a fault, and another which. So calls that fail at
 * a small dose also fail at a greater one, in the same way.
 */
export function drawFault(faults: readonly Fault[], call: number, random: () => number): Fault | null {
  const happens = random();
  const which = random();
  const chosen = faults.flatMap((fault) =>
    fault.calls !== undefined && [fault.calls].flat().includes(call) ? [{ fault, chance: fault.rate ?? 1 }] : [],
  );
  const open = faults.flatMap((fault) => (fault.calls === undefined ? [{ fault, chance: fault.rate ?? 0 }] : []));
  const left = Math.min(1, Math.max(0, 1 - sumOf(chosen)) / (sumOf(open) || 1));
  const all = [...chosen, ...open.map(({ fault, chance }) => ({ fault, chance: chance * left }))];
  const sum = sumOf(all);
  if (happens >= sum) return null;
  let upTo = 0;
  for (const { fault, chance } of all) {
    upTo += chance / sum;
    if (which < upTo) return fault;
  }
  return all.findLast(({ chance }) => chance > 0)?.fault ?? null;
}

function sumOf(faults: readonly { chance: number }[]): number {
  return faults.reduce((total, { chance }) => total + chance, 0);
}
