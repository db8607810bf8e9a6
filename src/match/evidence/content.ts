import type { Lexicon } from './compiled-lexicon.ts';
import type { Profile } from './profile.ts';

/** The parts of a score, one for each kind of statement. */
interface Shares {
  aspects: number;
  objects: number;
  details: number;
  words: number;
}

/** How far a vulnerability and a finding say the same, apart from the place. */
export interface Content {
  given: Shares;
  /** What each part could have given. These add up to 1. */
  most: Shares;
  /** The best agreement of two aspects or two objects; null where a side has none. */
  aspect: number | null;
  object: number | null;
  /** Both state a detail of one dimension, and the details differ. */
  detailsDiffer: boolean;
  /** They share more than the object they are about. */
  substance: boolean;
}

const ASPECT = 3;
const OBJECT = 1.2;
const DETAIL = 1.5;
/** What the manifest says counts for more, because a finding may say more than the manifest does. */
const OF_VULNERABILITY = 0.6;
/** Agreement on nearly everything that a side is about. */
const WHOLE = 0.75;
/** A concept that a side only mentions agrees less than one that it is about. */
const IN_PASSING = 0.7;
/** Less agreement than this counts as none. */
export const AGREEMENT = 0.3;

export function compareContent(lexicon: Lexicon, vulnerability: Profile, finding: Profile): Content {
  const aspects = compareConcepts(lexicon, vulnerability, finding, 'aspects');
  const objects = compareObjects(lexicon, vulnerability, finding);
  const content: Content = {
    given: { aspects: 0, objects: 0, details: 0, words: 0 },
    most: { aspects: 0, objects: 0, details: 0, words: 0 },
    aspect: aspects.best,
    object: objects.best,
    detailsDiffer: detailsDiffer(lexicon, vulnerability, finding),
    substance:
      (aspects.best ?? 0) >= AGREEMENT ||
      sharesRareWord(vulnerability, finding) ||
      (isAboutObjectItself(vulnerability, finding) && objects.ofVulnerability >= WHOLE),
  };
  const [ofVulnerability, ofFinding] =
    objects.best === null ? [null, null] : [objects.ofVulnerability, objects.ofFinding];
  addSide(content, OF_VULNERABILITY, vulnerability, finding, aspects.ofVulnerability, ofVulnerability);
  addSide(content, 1 - OF_VULNERABILITY, finding, vulnerability, aspects.ofFinding, ofFinding);
  return content;
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

/** Adds how much of what one side says is also said by the other. */
function addSide(
  { given, most }: Content,
  weight: number,
  of: Profile,
  by: Profile,
  aspects: number,
  objects: number | null,
): void {
  const aspectWeight = of.aspects.length > 0 ? ASPECT : 0;
  const objectWeight = objects === null ? 0 : OBJECT;
  const detailWeight = DETAIL * of.qualifiers.length;
  const total = aspectWeight + objectWeight + detailWeight + of.wordWeight;
  if (total === 0) return;
  const share = weight / total;
  let details = 0;
  for (const concept of of.qualifiers) details += by.mentioned.get(concept) ?? 0;
  let words = 0;
  for (const word of of.words) words += word.weight * (by.said.get(word.text) ?? 0);

  most.aspects += share * aspectWeight;
  most.objects += share * objectWeight;
  most.details += share * detailWeight;
  most.words += share * of.wordWeight;
  given.aspects += share * aspectWeight * aspects;
  given.objects += share * objectWeight * (objects ?? 0);
  given.details += share * DETAIL * details;
  given.words += share * words;
}

/** "GuardDuty is off": the only flaw is that the object is missing. */
function isAboutObjectItself(vulnerability: Profile, finding: Profile): boolean {
  const saysNoMore = vulnerability.aspects.length + finding.aspects.length === 0;
  return saysNoMore && vulnerability.namesThing && finding.namesThing;
}

function sharesRareWord(vulnerability: Profile, finding: Profile): boolean {
  return (
    vulnerability.words.some(({ text, weight }) => weight === 1 && finding.said.has(text)) ||
    vulnerability.qualifiers.some((concept) => finding.mentioned.has(concept))
  );
}

function detailsDiffer({ concepts }: Lexicon, vulnerability: Profile, finding: Profile): boolean {
  if (vulnerability.qualifiers.some((concept) => finding.mentioned.has(concept))) return false;
  return vulnerability.qualifiers.some((a) =>
    finding.qualifiers.some((b) => concepts[a]?.dimension === concepts[b]?.dimension),
  );
}
