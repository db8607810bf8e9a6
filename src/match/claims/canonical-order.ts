import type { Claim } from './claim.ts';

/**
 * The indices of the claims in an order that depends on what they say only, so that ties between them are broken alike
 * however the input was ordered. Claims that say the same are ordered by their ids (or whatever else tells them apart),
 * and interchangeable if those are the same, too.
 */
export function canonicalOrder(claims: readonly Claim[], ids?: readonly string[]): number[] {
  const entries = claims.map((claim, index) => ({ claim, id: ids?.[index] ?? '', index }));
  entries.sort((a, b) => compareClaims(a.claim, b.claim) || compareTexts(a.id, b.id));
  return entries.map(({ index }) => index);
}

/** What is short, and mostly different, comes first: that is cheap. */
function compareClaims(a: Claim, b: Claim): number {
  return (
    compareTexts(a.type, b.type) ||
    compareLists(a.resources, b.resources) ||
    compareTexts(a.severity ?? '', b.severity ?? '') ||
    compareNumbers(a.line, b.line) ||
    compareNumbers(a.end_line, b.end_line) ||
    compareTexts(a.file ?? '', b.file ?? '') ||
    compareLists(a.rule_ids, b.rule_ids) ||
    compareLists(a.attributes, b.attributes) ||
    compareTexts(a.title, b.title) ||
    compareTexts(a.description, b.description) ||
    compareTexts(a.evidence, b.evidence)
  );
}

/** By code units: the same on every machine, whatever its language. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareNumbers(a: number | null, b: number | null): number {
  return (a ?? 0) - (b ?? 0);
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const compared = compareTexts(a[at] ?? '', b[at] ?? '');
    if (compared !== 0) return compared;
  }
  return a.length - b.length;
}
