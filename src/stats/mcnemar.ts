/**
 * The exact McNemar test: do two raters of the same items differ in how often they say yes? Only the items on which
 * they differ count. The two-sided p value: how likely a split at least as uneven is when either is as likely.
 */
export function mcnemarTest({ onlyFirst, onlySecond }: { onlyFirst: number; onlySecond: number }): number {
  const total = onlyFirst + onlySecond;
  if (!Number.isSafeInteger(total) || onlyFirst < 0 || onlySecond < 0) {
    throw new RangeError(`${onlyFirst} and ${onlySecond} are not counts`);
  }
  const fewer = Math.min(onlyFirst, onlySecond);
  // In logarithms: 2 ** -2000 is no number any more.
  let logTerm = -total * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= fewer; k += 1) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((total - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}
