import type { Claim } from '../claims/claim.ts';
import { relateRules } from '../weaknesses/relate-rules.ts';
import type { Lexicon } from './lexicon/compile-lexicon.ts';
import { comparePlaces, type Place, placeOf } from './places/place.ts';
import { type Profile, profileOf } from './reading/profile.ts';
import { compareContent } from './weighing/content.ts';
import type { Evidence } from './weighing/weigh.ts';

/** A claim that has been read, ready to be compared many times. */
export interface EvidenceClaim {
  profile: Profile;
  place: Place;
  ruleIds: readonly string[];
}

export function readEvidenceClaim(lexicon: Lexicon, claim: Claim): EvidenceClaim {
  return { profile: profileOf(lexicon, claim), place: placeOf(lexicon, claim), ruleIds: claim.rule_ids };
}

/** All evidence for and against a finding being about a vulnerability. */
export function gatherEvidence(lexicon: Lexicon, vulnerability: EvidenceClaim, finding: EvidenceClaim): Evidence {
  const bothHaveRules = vulnerability.ruleIds.length > 0 && finding.ruleIds.length > 0;
  const place = comparePlaces(lexicon, vulnerability.place, finding.place);
  const atFlaw = place === 'same' || place === 'part' || place === 'lines';
  return {
    content: compareContent(lexicon, vulnerability.profile, finding.profile),
    place,
    rules: bothHaveRules ? relateRules(vulnerability.ruleIds, finding.ruleIds, atFlaw) : 'unknown',
    contradiction: vulnerability.profile.praises !== finding.profile.praises,
  };
}
