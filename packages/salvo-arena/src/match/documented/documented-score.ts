import type { ClaimNumbers } from './claim-numbers.ts';

/** The most that each factor of the documented score gives, in hundredths: whole numbers add up without rounding. */
export const POINTS = { category: 30, resource: 25, keywords: 25, severity: 20 } as const;

/**
 * The documented score of a pair, from 0 to 1. It is computed only here, so that every caller gets the same number to
 * the last bit.
 *
 * @param base The points for category, resource and severity.
 * @param common The keywords that both sides have.
 * @param either The keywords that at least one side has; with none, the keywords give nothing.
 */
export function documentedScore(base: number, common: number, either: number): number {
  return (base + (either === 0 ? 0 : (POINTS.keywords * common) / either)) / 100;
}

type Kind = Pick<ClaimNumbers, 'type' | 'categories' | 'severity'>;

/** The points for category and severity. Severities count only when both sides state one. */
export function kindPoints(a: Kind, b: Kind): number {
  const severity = a.severity >= 0 && a.severity === b.severity ? POINTS.severity : 0;
  return (sameCategory(a, b) ? POINTS.category : 0) + severity;
}

/** Whether two claims have the same type, in any case and notation, or share a category. */
export function sameCategory(a: Omit<Kind, 'severity'>, b: Omit<Kind, 'severity'>): boolean {
  return (a.type >= 0 && a.type === b.type) || (a.categories & b.categories) !== 0;
}

/** How many numbers two ascending lists share. */
export function countCommon(a: Int32Array, b: Int32Array): number {
  let common = 0;
  let inA = 0;
  let inB = 0;
  while (inA < a.length && inB < b.length) {
    const difference = (a[inA] ?? 0) - (b[inB] ?? 0);
    if (difference === 0) common += 1;
    if (difference <= 0) inA += 1;
    if (difference >= 0) inB += 1;
  }
  return common;
}
