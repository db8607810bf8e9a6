import type { Claim } from '../claims/claim.ts';
import { loadLexicon } from './lexicon/lexicon.ts';
import { comparePlaces, isListed, type PlaceRelation, placeOf } from './places/place.ts';

/** How the place of a vulnerability is related to that of a finding. */
export interface Nearness {
  relation: PlaceRelation;
  /** The vulnerability names the finding's place itself, as its resource or as one of its locations. */
  isListed: boolean;
}

/** How the places of a vulnerability and a finding are related, by their indices. */
export function createNearness(
  vulnerabilities: readonly Claim[],
  findings: readonly Claim[],
): (vulnerability: number, finding: number) => Nearness {
  const lexicon = loadLexicon();
  const left = vulnerabilities.map((claim) => placeOf(lexicon, claim));
  const right = findings.map((claim) => placeOf(lexicon, claim));
  return (vulnerability, finding) => {
    const [a, b] = [left[vulnerability], right[finding]];
    if (!a || !b) return { relation: 'unknown', isListed: false };
    return { relation: comparePlaces(lexicon, a, b), isListed: isListed(a, b) };
  };
}
