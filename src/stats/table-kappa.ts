/** How often two raters who say yes or no said: both yes, only the first, only the second, neither. */
export type AgreementTable = [both: number, onlyFirst: number, onlySecond: number, neither: number];

/** Cohen's kappa from its four counts. Null when both always said one and the same thing. */
export function tableKappa([both, onlyFirst, onlySecond, neither]: Readonly<AgreementTable>): number | null {
  const items = both + onlyFirst + onlySecond + neither;
  const byChance = (both + onlyFirst) * (both + onlySecond) + (onlySecond + neither) * (onlyFirst + neither);
  const beyond = items * items - byChance;
  return beyond === 0 ? null : (items * (both + neither) - byChance) / beyond;
}
