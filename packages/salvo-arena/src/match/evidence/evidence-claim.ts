import type { MatcherOptions } from '../candidates/matcher.ts';
import type { Claim } from '../claims/claim.ts';
import { relateRules } from '../weaknesses/relate-rules.ts';
import type { Lexicon } from './lexicon/compile-lexicon.ts';
import { comparePlaces, type Place, placeOf } from './places/place.ts';
import { type Profile, profileOf } from './reading/profile.ts';
import { AGREEMENT, compareContent } from './weighing/content.ts';
import type { Evidence } from './weighing/weigh.ts';

/** A claim that has been read, ready to be compared many times. */
export interface EvidenceClaim {
  profile: Profile;
  place: Place;
  ruleIds: readonly string[];
  /** Of a vulnerability: no other one of the manifest is about its service. */
  isAlone?: boolean;
}

export function readEvidenceClaim(lexicon: Lexicon, claim: Claim): EvidenceClaim {
  return { profile: profileOf(lexicon, claim), place: placeOf(lexicon, claim), ruleIds: claim.rule_ids };
}

/** All evidence for and against a finding being about a vulnerability. */
export function gatherEvidence(
  lexicon: Lexicon,
  vulnerability: EvidenceClaim,
  finding: EvidenceClaim,
  { keys = 'different' }: MatcherOptions = {},
): Evidence {
  const bothHaveRules = vulnerability.ruleIds.length > 0 && finding.ruleIds.length > 0;
  const place = comparePlaces(lexicon, vulnerability.place, finding.place);
  const atFlaw = place === 'same' || place === 'part' || place === 'lines';
  return {
    content: compareContent(lexicon, vulnerability.profile, finding.profile),
    place,
    rules: bothHaveRules ? relateRules(vulnerability.ruleIds, finding.ruleIds, atFlaw) : 'unknown',
    contradiction: vulnerability.profile.praises !== finding.profile.praises,
    isAlone: vulnerability.isAlone === true,
    isKeyOfEncryption: keys === 'same' && isKeyOfEncryption(lexicon, vulnerability.profile, finding.profile),
  };
}

const ENCRYPTION = new Set(['encryption', 'encryption_at_rest', 'storage_encryption']);
const OWN_KEY = new Set(['customer_key', 'key_choice']);

function isKeyOfEncryption(lexicon: Lexicon, a: Profile, b: Profile): boolean {
  const isAbout = ({ aspects }: Profile, ids: ReadonlySet<string>) =>
    aspects.some((aspect) => ids.has(lexicon.concepts[aspect]?.id ?? ''));
  const isPair = (one: Profile, other: Profile) => isAbout(one, ENCRYPTION) && isAbout(other, OWN_KEY);
  return (isPair(a, b) || isPair(b, a)) && sharesObject(lexicon, a, b);
}

function sharesObject({ affinity, concepts }: Lexicon, { objects }: Profile, other: Profile): boolean {
  return objects.some((a) => other.objects.some((b) => (affinity[a * concepts.length + b] ?? 0) >= AGREEMENT));
}

/** Most manifests are small, and in a large one hardly any flaw is the only one of its service. */
const MOST_VULNERABILITIES = 200;

/** Says of each vulnerability whether no other one is about its service. */
export function withAlone(lexicon: Lexicon, vulnerabilities: readonly EvidenceClaim[]): readonly EvidenceClaim[] {
  if (vulnerabilities.length > MOST_VULNERABILITIES) return vulnerabilities;
  return vulnerabilities.map((claim) => {
    const isOther = (other: EvidenceClaim) => other !== claim && sharesObject(lexicon, claim.profile, other.profile);
    return { ...claim, isAlone: claim.profile.objects.length > 0 && !vulnerabilities.some(isOther) };
  });
}
