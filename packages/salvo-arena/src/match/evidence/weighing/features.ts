import type { PlaceRelation } from '../places/place.ts';
import type { Content } from './content.ts';

/**
 * What the learned model looks at, in the order of its weights. `sign` says in which direction a feature may count:
 * training drops a feature that would count the wrong way. `group` is the factor of the explanation that it belongs to,
 * and `range` is what its value can be.
 */
export const FEATURES = [
  { name: 'flaw_cover', group: 'flaw', sign: 1, range: [0, 1] },
  { name: 'flaw_of_one_side', group: 'flaw', sign: 0, range: [0, 1] },
  { name: 'flaw_of_no_side', group: 'flaw', sign: 0, range: [0, 1] },
  { name: 'concepts_present', group: 'flaw', sign: 1, range: [0, 8] },
  { name: 'concepts_missing_in_finding', group: 'flaw', sign: 1, range: [-5, 0] },
  { name: 'concepts_missing_in_vulnerability', group: 'flaw', sign: 1, range: [-5, 0] },
  { name: 'weaknesses_in_common', group: 'flaw', sign: 1, range: [0, 1] },
  { name: 'weaknesses_differ', group: 'flaw', sign: -1, range: [0, 1] },
  { name: 'thing_unknown', group: 'thing', sign: 0, range: [0, 1] },
  { name: 'details_shared', group: 'details', sign: 1, range: [0, 2] },
  { name: 'details_of_one_side', group: 'details', sign: -1, range: [0, 4] },
  { name: 'number_shared', group: 'details', sign: 1, range: [0, 1] },
  { name: 'numbers_differ', group: 'details', sign: -1, range: [0, 1] },
  { name: 'words_of_vulnerability', group: 'words', sign: 1, range: [0, 1] },
  { name: 'words_of_finding', group: 'words', sign: 1, range: [0, 1] },
  { name: 'rare_words_of_both', group: 'words', sign: -1, range: [0, 1] },
  { name: 'words_missing', group: 'words', sign: 1, range: [-5, 0] },
  { name: 'terse', group: 'words', sign: 1, range: [0, 1] },
  { name: 'words_present_if_terse', group: 'words', sign: 1, range: [0, 8] },
  { name: 'name', group: 'words', sign: 1, range: [0, 1] },
  { name: 'words_of_name', group: 'words', sign: 1, range: [0, 1] },
  { name: 'place_same', group: 'place', sign: 1, range: [0, 1] },
  { name: 'place_part', group: 'place', sign: 1, range: [0, 1] },
  { name: 'place_lines', group: 'place', sign: 1, range: [0, 1] },
  { name: 'place_near', group: 'place', sign: 0, range: [0, 1] },
] as const satisfies readonly Feature[];

interface Feature {
  name: string;
  group: FactorGroup;
  sign: -1 | 0 | 1;
  range: readonly [number, number];
}

export type FactorGroup = 'flaw' | 'thing' | 'details' | 'words' | 'place';
export type FeatureName = (typeof FEATURES)[number]['name'];

const MOST_PRESENT = 8;
const MOST_MISSING = -5;

/** The values of the features of a pair. */
export function featuresOf(content: Content, place: PlaceRelation): Record<FeatureName, number> {
  const { aspectSides, numbers, ofVulnerability, ofFinding, fewestWords } = content;
  const [longer, shorter] =
    ofVulnerability.mass < ofFinding.mass ? [ofVulnerability, ofFinding] : [ofFinding, ofVulnerability];
  // A short text can't say everything that a long one says, so the rest of the long one counts by their proportion.
  const proportion = longer.mass === 0 ? 0 : shorter.mass / longer.mass;
  const terse = 1 / (1 + fewestWords);
  const wordsPresent = (ofVulnerability.wordsPresent + ofFinding.wordsPresent) / 2;
  const conceptsPresent = (ofVulnerability.conceptsPresent + ofFinding.conceptsPresent) / 2;
  return {
    flaw_cover: content.aspectCover,
    flaw_of_one_side: aspectSides === 1 ? 1 : 0,
    flaw_of_no_side: aspectSides === 0 ? 1 : 0,
    concepts_present: Math.min(MOST_PRESENT, conceptsPresent),
    concepts_missing_in_finding: Math.max(MOST_MISSING, ofVulnerability.conceptsMissing),
    concepts_missing_in_vulnerability: Math.max(MOST_MISSING, ofFinding.conceptsMissing),
    weaknesses_in_common: content.weaknesses,
    weaknesses_differ: content.otherWeaknesses,
    thing_unknown: content.object === null ? 1 : 0,
    details_shared: content.sharedDetails,
    details_of_one_side: content.loneDetails,
    number_shared: numbers === 'same' ? 1 : 0,
    numbers_differ: numbers === 'different' ? 1 : 0,
    words_of_vulnerability: ofVulnerability.share,
    words_of_finding: ofFinding.share,
    rare_words_of_both: Math.min(ofVulnerability.rarest, ofFinding.rarest),
    words_missing: Math.max(MOST_MISSING, longer.wordsMissing) * proportion,
    terse,
    words_present_if_terse: terse * Math.min(MOST_PRESENT, wordsPresent),
    name: content.hasName ? 1 : 0,
    words_of_name: content.hasName ? Math.max(ofVulnerability.share, ofFinding.share) : 0,
    place_same: place === 'same' ? 1 : 0,
    place_part: place === 'part' ? 1 : 0,
    place_lines: place === 'lines' ? 1 : 0,
    place_near: place === 'near' ? 1 : 0,
  };
}
