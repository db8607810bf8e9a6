import { stem, wordsOf } from 'salvo/kit/text';
import type { Claim } from './claim.ts';

/**
 * What a claim is about, as a set of word stems. The rules, in order:
 *
 * 1. The words of the type, the title and the description count. The resource is a factor of its own, and the evidence
 *    is not read.
 * 2. Texts are split at everything except letters and digits and at the humps of camel case, and lower-cased
 *    (`wordsOf`).
 * 3. Words of one character and stop words are dropped: those of any English sentence, and those of any claim, such as
 *    `ensure` or `vulnerability` (`STOP_WORDS`).
 * 4. The remaining words lose their endings (`stem`), and each counts once.
 */
export function extractKeywords(claim: Pick<Claim, 'type' | 'title' | 'description'>): ReadonlySet<string> {
  const keywords = new Set<string>();
  for (const text of [claim.type, claim.title, claim.description]) {
    for (const word of wordsOf(text)) {
      const keyword = keywordOf(word);
      if (keyword !== '') keywords.add(keyword);
    }
  }
  return keywords;
}

/** The keyword of a lower-case word; empty when the word carries no meaning. */
export function keywordOf(word: string): string {
  return word.length < 2 || STOP_WORDS.has(word) ? '' : stem(word);
}

/** Words that carry no meaning: those of any English sentence, and those of any claim. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `
  a about above after again against all also although always am an and another any anyone anything are aren as at
  be because been before being below between both but by
  can cannot could couldn
  did didn do does doesn doing don done due during
  each either else etc even ever every
  few for from further
  get gets give given
  had has hasn have haven having he hence her here his how however
  if in instead into is isn it its itself
  just
  let like
  made make makes making many may me might more most much must my
  neither no non none nor not now
  of off on once one only onto or other our out over own
  per
  rather
  same she should shouldn since so some such
  than that the their them then there therefore these they this those through thus to too
  under until up upon us use used uses using
  very via
  was wasn we well were weren what when where whether which while who whose why will with within without won would
  yes yet you your

  detect detected detects ensure ensures ensuring finding findings found identified issue issues misconfiguration
  misconfigurations misconfigured potential potentially recommended resource resources risk risks sure vulnerability
  vulnerabilities vulnerable
  `
    .trim()
    .split(/\s+/),
);
