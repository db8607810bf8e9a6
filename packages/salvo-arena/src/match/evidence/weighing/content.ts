import type { Lexicon } from '../lexicon/compile-lexicon.ts';
import { compareDeciding } from '../reading/deciding-details.ts';
import type { Profile } from '../reading/profile.ts';
import { settingsDiffer } from '../reading/settings-named.ts';
import { compareWeaknesses } from '../weaknesses/nearest-weaknesses.ts';
import { overlapOf } from './overlap.ts';

/** How far a vulnerability and a finding say the same, apart from the place. */
export type Content = ReturnType<typeof compareContent>;

/** Agreement on nearly everything that a side is about. */
const WHOLE = 0.75;
/** A concept that a side only mentions agrees less than one that it is about. */
const IN_PASSING = 0.7;
/** Less agreement than this counts as none. */
export const AGREEMENT = 0.3;
const MOST_DETAILS = 2;

export function compareContent(lexicon: Lexicon, vulnerability: Profile, finding: Profile) {
  const aspects = compareConcepts(lexicon, vulnerability, finding, 'aspects');
  const objects = compareObjects(lexicon, vulnerability, finding);
  const sharedByVulnerability = shared(vulnerability, finding);
  const sharedByFinding = shared(finding, vulnerability);
  return {
    /** The best agreement of two aspects or two objects; null where a side has none. */
    aspect: aspects.best,
    object: objects.best,
    /** How much of the side's aspects the other has, for the side of which the other has less; 0 where a side has none. */
    aspectCover: Math.min(aspects.ofVulnerability, aspects.ofFinding),
    /** How many sides state an aspect. */
    aspectSides: sidesThatState(vulnerability, finding),
    /** Details that both state, and details that one side states alone; of each at most two for each side. */
    sharedDetails: Math.min(MOST_DETAILS, Math.max(sharedByVulnerability, sharedByFinding)),
    loneDetails:
      Math.min(MOST_DETAILS, vulnerability.qualifiers.length - sharedByVulnerability) +
      Math.min(MOST_DETAILS, finding.qualifiers.length - sharedByFinding),
    /** Both state a detail of one dimension, and the details differ; or they name different settings. */
    detailsDiffer:
      detailsDiffer(lexicon, vulnerability, finding) || settingsDiffer(vulnerability.settings, finding.settings),
    /** Whether they differ in a detail that decides, or in one that the place can settle. */
    deciding: compareDeciding(lexicon, vulnerability.deciding, finding.deciding),
    /** Both have a number in their headline: the same one, or different ones. */
    numbers: compareNumbers(vulnerability, finding),
    /** They share more than the object they are about. */
    substance:
      (aspects.best ?? 0) >= AGREEMENT ||
      sharedByVulnerability > 0 ||
      vulnerability.words.some((word) => finding.said.has(word)) ||
      (isAboutObjectItself(vulnerability, finding) && objects.ofVulnerability >= WHOLE),
    /** A claim says all telling words of the other's headline, and not both headlines name a flaw of the lexicon. */
    saysHeadline:
      !(vulnerability.namesFlaw && finding.namesFlaw) &&
      (saysHeadline(finding, vulnerability) || saysHeadline(vulnerability, finding)),
    ofVulnerability: overlapOf(lexicon, vulnerability, finding, 'vulnerability'),
    ofFinding: overlapOf(lexicon, finding, vulnerability, 'finding'),
    ...compareWeaknesses(vulnerability.likely, finding.likely),
    /** The words of the headline that has fewer of them. */
    fewestWords: Math.min(vulnerability.terms.length, finding.terms.length),
    /** A headline is a name, which leaves out most of what a sentence says. */
    hasName: vulnerability.isName || finding.isName,
  };
}

interface Comparison {
  best: number | null;
  /** The mean over a side's concepts of how well the other side has them. */
  ofVulnerability: number;
  ofFinding: number;
}

const NOT_COMPARED: Comparison = { best: null, ofVulnerability: 0, ofFinding: 0 };

/** An object that is only mentioned cannot contradict another one. */
function compareObjects(lexicon: Lexicon, vulnerability: Profile, finding: Profile): Comparison {
  const comparison = compareConcepts(lexicon, vulnerability, finding, 'objects');
  const contradicts = (comparison.best ?? 1) < AGREEMENT;
  if (!contradicts || (vulnerability.firmObjects && finding.firmObjects)) return comparison;
  return NOT_COMPARED;
}

function compareConcepts(
  { affinity, concepts }: Lexicon,
  vulnerability: Profile,
  finding: Profile,
  kind: 'aspects' | 'objects',
): Comparison {
  const count = concepts.length;
  const left = vulnerability[kind];
  const right = finding[kind];
  if (left.length === 0 || right.length === 0) return NOT_COMPARED;
  let best = 0;
  let ofVulnerability = 0;
  for (const a of left) {
    let most = 0;
    for (const b of right) most = Math.max(most, affinity[a * count + b] ?? 0);
    // A mention supports an aspect that agrees already. Alone it means nothing: advice often mentions other flaws.
    const mention = most < AGREEMENT || concepts[a]?.yields !== false ? 0 : (finding.mentioned.get(a) ?? 0);
    best = Math.max(best, most, mention * IN_PASSING);
    ofVulnerability += Math.max(most, mention);
  }
  let ofFinding = 0;
  for (const b of right) {
    let most = 0;
    for (const a of left) most = Math.max(most, affinity[a * count + b] ?? 0);
    const mention = most < AGREEMENT || concepts[b]?.yields !== false ? 0 : (vulnerability.mentioned.get(b) ?? 0);
    best = Math.max(best, mention * IN_PASSING);
    ofFinding += Math.max(most, mention);
  }
  return { best, ofVulnerability: ofVulnerability / left.length, ofFinding: ofFinding / right.length };
}

function sidesThatState(vulnerability: Profile, finding: Profile): 0 | 1 | 2 {
  if (vulnerability.aspects.length === 0) return finding.aspects.length === 0 ? 0 : 1;
  return finding.aspects.length === 0 ? 1 : 2;
}

/** The details of one claim that the other mentions. */
function shared(of: Profile, by: Profile): number {
  let count = 0;
  for (const concept of of.qualifiers) if (by.mentioned.has(concept)) count += 1;
  return count;
}

const FEWEST_TELLING_WORDS = 3;

/** "Devices can overwrite firmware" has three telling words, and names no flaw of the lexicon. */
function saysHeadline(claim: Profile, { words }: Profile): boolean {
  return words.length >= FEWEST_TELLING_WORDS && words.every((word) => claim.said.has(word));
}

function compareNumbers(vulnerability: Profile, finding: Profile): 'same' | 'different' | 'not_compared' {
  if (vulnerability.numbers.length === 0 || finding.numbers.length === 0) return 'not_compared';
  return vulnerability.numbers.some((number) => finding.said.has(number)) ? 'same' : 'different';
}

/** "GuardDuty is off": the only flaw is that the object is missing. */
function isAboutObjectItself(vulnerability: Profile, finding: Profile): boolean {
  return sidesThatState(vulnerability, finding) === 0 && vulnerability.namesThing && finding.namesThing;
}

function detailsDiffer({ concepts }: Lexicon, vulnerability: Profile, finding: Profile): boolean {
  const dimension = (concept: number) => concepts[concept]?.dimension;
  const isShared = (a: number) =>
    vulnerability.qualifiers.some((one) => dimension(one) === dimension(a) && finding.mentioned.has(one));
  return vulnerability.qualifiers.some(
    (a) => finding.qualifiers.some((b) => dimension(a) === dimension(b)) && !isShared(a),
  );
}
