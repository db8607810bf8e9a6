import { createRunningSum } from './sum-or-unknown.ts';

/** What is known of a cost that is not known exactly. */
export interface AtLeast {
  /** The sum of the parts that are known. */
  usd: number;
  /** How many calls may have been charged without anybody knowing how much. */
  calls_unknown: number;
  /** A process was killed or stopped responding: calls that were under way then are in neither of the two figures. */
  killed?: boolean | undefined;
}

/** `usd` is null unless all of it is known. Without `at_least` nothing is. */
export interface Cost {
  usd: number | null;
  at_least?: AtLeast | undefined;
}

export const NO_COST: Cost = { usd: 0 };
/** A call that may have been charged. */
export const UNKNOWN_CALL: Cost = { usd: null, at_least: { usd: 0, calls_unknown: 1 } };
/** Whatever was under way in a process that was killed. */
export const KILLED: Cost = { usd: null, at_least: { usd: 0, calls_unknown: 0, killed: true } };

/** Adds up costs of which some may be unknown. The order of the parts does not matter. */
export interface CostSum {
  add(cost: Cost): void;
  total(): Cost;
}

export function createCostSum(): CostSum {
  return new Sum();
}

class Sum implements CostSum {
  readonly #known = createRunningSum();
  #isExact = true;
  #callsUnknown = 0;
  #killed = false;

  add(cost: Cost): void {
    this.#isExact &&= cost.usd !== null;
    this.#known.add(knownUsd(cost));
    this.#callsUnknown += callsUnknown(cost);
    this.#killed ||= wasKilled(cost);
  }

  total(): Cost {
    const usd = this.#known.known();
    if (this.#isExact) return { usd };
    return { usd: null, at_least: { usd, calls_unknown: this.#callsUnknown, ...(this.#killed && { killed: true }) } };
  }
}

export function sumCosts(costs: Iterable<Cost>): Cost {
  const sum = createCostSum();
  for (const cost of costs) sum.add(cost);
  return sum.total();
}

/** What was added to `before` so that it became `now`. */
export function costSince(before: Cost, now: Cost): Cost {
  const usd = knownUsd(now) - knownUsd(before);
  const calls_unknown = callsUnknown(now) - callsUnknown(before);
  const killed = wasKilled(now) && !wasKilled(before);
  const isExact = now.usd !== null || (before.usd === null && calls_unknown === 0 && !killed);
  return isExact ? { usd } : { usd: null, at_least: { usd, calls_unknown, ...(killed && { killed }) } };
}

/** The sum of the parts that are known. */
export function knownUsd({ usd, at_least }: Cost): number {
  return usd ?? at_least?.usd ?? 0;
}

/** How many calls are known to have an unknown cost. */
function callsUnknown({ usd, at_least }: Cost): number {
  return usd === null ? (at_least?.calls_unknown ?? 0) : 0;
}

export function wasKilled({ usd, at_least }: Cost): boolean {
  return usd === null && at_least?.killed === true;
}
