type Label = string | number | boolean;

/**
 * Cohen's kappa: how far two raters agree beyond chance. 1 is perfect agreement, 0 is what chance would give.
 * Null when it is undefined: fewer than two items, or both raters gave the same single label to every item.
 */
export function cohenKappa<L extends Label>(a: readonly L[], b: readonly L[]): number | null {
  assertPaired(a, b);
  const items = a.length;
  if (items < 2) return null;
  const ofB = counts(b);
  let agreed = 0;
  for (const [index, label] of a.entries()) agreed += label === b[index] ? 1 : 0;
  let byChance = 0;
  for (const [label, count] of counts(a)) byChance += count * (ofB.get(label) ?? 0);
  // Computed in whole numbers, so that perfect agreement is exactly 1 and agreement by chance exactly 0.
  const beyond = items * items - byChance;
  return beyond === 0 ? null : (items * agreed - byChance) / beyond;
}

/** Counts of the answers of two raters who say yes or no: both yes, only the first, only the second, neither. */
export type AgreementTable = [both: number, onlyFirst: number, onlySecond: number, neither: number];

/** Cohen's kappa from its four counts. Null when both always gave the same answer. */
export function tableKappa([both, onlyFirst, onlySecond, neither]: Readonly<AgreementTable>): number | null {
  const items = both + onlyFirst + onlySecond + neither;
  const byChance = (both + onlyFirst) * (both + onlySecond) + (onlySecond + neither) * (onlyFirst + neither);
  const beyond = items * items - byChance;
  return beyond === 0 ? null : (items * (both + neither) - byChance) / beyond;
}

/** Throws on lists of different lengths, whose items can't be compared. */
export function assertPaired(a: { readonly length: number }, b: { readonly length: number }): void {
  if (a.length !== b.length) throw new RangeError(`${a.length} and ${b.length} ratings are not of the same items`);
}

function counts<L extends Label>(labels: readonly L[]): Map<L, number> {
  const counted = new Map<L, number>();
  for (const label of labels) counted.set(label, (counted.get(label) ?? 0) + 1);
  return counted;
}
