import { mean } from '../../stats/mean.ts';

/**
 * How often two verdicts on the same item differ: the share of pairs that do, averaged over the items, so that an item
 * with more verdicts counts no more than another. An unbiased estimate of 2p(1 - p) for a chance p to pass.
 * Null when no item has two verdicts.
 */
export function flipRate(verdicts: readonly (readonly boolean[])[]): number | null {
  const rates = verdicts.flatMap((ofItem) => {
    const passed = ofItem.filter(Boolean).length;
    const pairs = ofItem.length * (ofItem.length - 1);
    return pairs === 0 ? [] : [(2 * passed * (ofItem.length - passed)) / pairs];
  });
  return mean(rates);
}
