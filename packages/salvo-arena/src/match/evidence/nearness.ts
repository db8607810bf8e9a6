import type { Claim } from '../claims/claim.ts';
import { loadLexicon } from './lexicon/lexicon.ts';
import { comparePlaces, type PlaceRelation, placeOf } from './places/place.ts';

/** How the places of a vulnerability and a finding are related, by their indices. */
export function createNearness(
  vulnerabilities: readonly Claim[],
  findings: readonly Claim[],
): (vulnerability: number, finding: number) => PlaceRelation {
  const lexicon = loadLexicon();
  const left = vulnerabilities.map((claim) => placeOf(lexicon, claim));
  const right = findings.map((claim) => placeOf(lexicon, claim));
  return (vulnerability, finding) => {
    const [a, b] = [left[vulnerability], right[finding]];
    return a && b ? comparePlaces(lexicon, a, b) : 'unknown';
  };
}
