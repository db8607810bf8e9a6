import { meetsThreshold } from '../stats/mean.ts';

/** How many trials did what was expected. */
export interface TrialShares {
  /** All trials that were planned. */
  planned: number;
  held: number;
  /** Trials whose agent crashed. They did not do it, and their silence proves nothing. */
  crashed: number;
  /** Trials of which it is unknown, those that did not run included. */
  unknown: number;
}

/** `needed` is the share of the trials that must hold; null: no trial may. */
export interface Demand {
  needed: number | null;
  /** Trials that could not be scored are left out, as long as there are others. */
  allowUnscored: boolean;
}

/** Unscored only if the trials that are unknown could change the outcome. */
export function decide({ planned, held, crashed, unknown }: TrialShares, demand: Demand): 'held' | 'not' | 'unscored' {
  const isLeftOut = demand.allowUnscored && unknown < planned;
  const open = isLeftOut ? 0 : unknown;
  const counted = isLeftOut ? planned - unknown : planned;
  if (counted === 0) return 'unscored';
  if (demand.needed === null) {
    if (held > 0 || crashed > 0) return 'not';
    return open > 0 ? 'unscored' : 'held';
  }
  if (meetsThreshold(held / counted, demand.needed)) return 'held';
  return meetsThreshold((held + open) / counted, demand.needed) ? 'unscored' : 'not';
}
