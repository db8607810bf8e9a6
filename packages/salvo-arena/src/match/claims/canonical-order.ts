import type { Claim } from './claim.ts';
import type { FlawLocation } from './flaw-location.ts';

/**
 * The indices of the claims in an order that depends on their content only, so that the order of the input does not
 * decide ties. Equal claims are ordered by their tie-breakers. Claims with equal tie-breakers are interchangeable.
 */
export function canonicalOrder(claims: readonly Claim[], tieBreakers?: readonly string[]): number[] {
  const entries = claims.map((claim, index) => ({ claim, tieBreaker: tieBreakers?.[index] ?? '', index }));
  entries.sort((a, b) => compareClaims(a.claim, b.claim) || compareTexts(a.tieBreaker, b.tieBreaker));
  return entries.map(({ index }) => index);
}

/** Short fields that mostly differ are compared first, because that is cheap. */
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
    compareTexts(a.evidence, b.evidence) ||
    compareLists(a.locations.map(locationText), b.locations.map(locationText))
  );
}

function locationText({ kind, resource, file, line }: FlawLocation): string {
  return [kind, resource, file, line].join('\n');
}

/** By code units, which gives the same order in every locale. */
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
