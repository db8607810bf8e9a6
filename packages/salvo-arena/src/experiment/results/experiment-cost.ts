import type { Cost } from 'salvo/kit/stats';
import type { ExperimentResults } from './experiment-results.ts';

/** What all of it cost, as it is shown. */
export function experimentCost({ cost_usd }: Pick<ExperimentResults, 'cost_usd'>): Cost {
  const { red, blue, judge, known, calls_unknown, killed } = cost_usd;
  const isExact = red !== null && blue !== null && judge !== null && !killed;
  return isExact ? { usd: known } : { usd: null, at_least: { usd: known, calls_unknown, ...(killed && { killed }) } };
}
