interface Draws {
  /** All trials. */
  total: number;
  /** How many of them passed. */
  passed: number;
  /** How many are drawn, without replacement. */
  k: number;
}

/** pass@k, unbiased: the chance that at least one of k trials passes, 1 - C(n-c, k) / C(n, k). */
export function passAtK({ total, passed, k }: Draws): number {
  if (k === 1) return allFromGroup({ total, group: passed, k });
  return 1 - allFromGroup({ total, group: total - passed, k });
}

/** pass^k, unbiased: the chance that all k trials pass, C(c, k) / C(n, k). */
export function passHatK({ total, passed, k }: Draws): number {
  return allFromGroup({ total, group: passed, k });
}

/** C(group, k) / C(total, k), as the shorter of two products of factors below 1: no factorial, so nothing overflows. */
function allFromGroup({ total, group, k }: { total: number; group: number; k: number }): number {
  const valid = [total, group, k].every(Number.isSafeInteger) && k >= 1 && k <= total && group >= 0 && group <= total;
  if (!valid) throw new RangeError(`cannot draw ${k} of ${total} trials with ${group} in the group`);
  if (group < k) return 0;
  const others = total - group;
  let chance = 1;
  if (k <= others) {
    for (let drawn = 0; drawn < k; drawn += 1) chance *= (group - drawn) / (total - drawn);
  } else {
    for (let other = 0; other < others; other += 1) chance *= (total - k - other) / (total - other);
  }
  return chance;
}
