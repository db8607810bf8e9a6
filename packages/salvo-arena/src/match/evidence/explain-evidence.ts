import type { Factor } from '../candidates/matcher.ts';
import type { Claim } from '../claims/claim.ts';
import type { ResourceAddress } from '../claims/resource-address.ts';
import type { RuleRelation } from '../weaknesses/relate-rules.ts';
import { weaknessById } from '../weaknesses/weaknesses.ts';
import type { EvidenceClaim } from './evidence-claim.ts';
import type { Lexicon } from './lexicon/compile-lexicon.ts';
import type { Place, PlaceRelation } from './places/place.ts';
import { decidingDifference } from './reading/deciding-details.ts';
import type { Profile, Term } from './reading/profile.ts';
import { settingsDiffer } from './reading/settings-named.ts';
import { writtenWords } from './reading/written-words.ts';
import { weaknessOfBoth } from './weaknesses/nearest-weaknesses.ts';
import { AGREEMENT, type Content } from './weighing/content.ts';
import { type FactorGroup, featuresOf } from './weighing/features.ts';
import { contributionsOf, loadModel } from './weighing/model.ts';
import { replacementIn, saidBy } from './weighing/overlap.ts';
import { type Evidence, type Limit, type Raise, SAME_WEAKNESS, weigh } from './weighing/weigh.ts';

/** What was read, and what it was read from. */
type ExplainedClaim = readonly [EvidenceClaim, Claim];

/**
 * The factors of a pair's score, in words. The model's part of the score is divided among the groups of its features, in
 * proportion to how far each is above the least that it can contribute.
 */
export function explainEvidence(
  lexicon: Lexicon,
  evidence: Evidence,
  [vulnerability, ofVulnerability]: ExplainedClaim,
  [finding, ofFinding]: ExplainedClaim,
): Factor[] {
  const { content } = evidence;
  const weighed = weigh(evidence);
  const a = vulnerability.profile;
  const b = finding.profile;
  const groups = contributionsOf(loadModel(), featuresOf(content, evidence.place));
  const sum = (of: 'above' | 'most') => Object.values(groups).reduce((total, group) => total + group[of], 0);
  const [above, most] = [sum('above'), sum('most')];
  const factor = (name: FactorGroup, reason: string): Factor => ({
    name,
    points: above === 0 ? 0 : (weighed.learned * groups[name].above) / above,
    most: groups[name].most / most,
    reason,
  });
  const factors = [
    factor(
      'flaw',
      [
        flawReason(lexicon, a, b, content),
        ...weaknessReason(lexicon, a, b, content),
        ...(evidence.isKeyOfEncryption ? [RAISE_REASONS.keys] : []),
      ].join('; '),
    ),
    factor('thing', thingReason(lexicon, a, b, content)),
    factor('details', detailsReason(lexicon, a, b, content)),
    factor('words', wordsReason(spelled(lexicon, a, ofVulnerability), spelled(lexicon, b, ofFinding))),
    factor('place', describePlaces(evidence.place, vulnerability.place, finding.place)),
  ];
  if (weighed.weakness > 0) {
    const reason = 'both are surely about one weakness of the catalogue';
    factors.push({ name: 'weakness', points: weighed.weakness, most: 1, reason });
  }
  if (evidence.rules !== 'unknown') {
    const reason = rulesReason(evidence.rules, vulnerability, finding, weighed.rules);
    factors.push({ name: 'rules', points: weighed.rules, most: 1, reason });
  }
  if (weighed.raise !== null) {
    const { why, points } = weighed.raise;
    factors.push({ name: 'enough', points, most: 1, reason: RAISE_REASONS[why] });
  }
  if (weighed.limit !== null) {
    factors.push({ name: 'limit', points: weighed.taken, most: 0, reason: LIMIT_REASONS[weighed.limit] });
  }
  return factors;
}

const RAISE_REASONS: Readonly<Record<Raise, string>> = {
  wording: 'nearly the same words are a match',
  place: 'at the same resource, a little less is enough',
  alone: 'no other flaw of this service is planted, so a little less is enough',
  keys: "a missing key of one's own counts as missing encryption",
};

const LIMIT_REASONS: Readonly<Record<Limit, string>> = {
  praise: 'one side says that it is in order, the other that it is not',
  flaw: 'different flaws are no match',
  related: 'related, but not the same flaw',
  thing: 'flaws of different things are no match',
  details: 'the details differ',
  substance: 'they agree in the thing, not in what is wrong with it',
  place: 'different places are no match',
};

function flawReason(lexicon: Lexicon, a: Profile, b: Profile, { aspect }: Content): string {
  const ofA = conceptNames(lexicon, a.aspects);
  const ofB = conceptNames(lexicon, b.aspects);
  if (a.aspects.length === 0 && b.aspects.length === 0) return 'neither side says what is wrong in known words';
  if (a.aspects.length === 0) return `the finding is about ${ofB}, the vulnerability does not say`;
  if (b.aspects.length === 0) return `the vulnerability is about ${ofA}, the finding does not say`;
  const common = a.aspects.filter((one) => b.aspects.includes(one));
  if (aspect === 1) return `both are about ${conceptNames(lexicon, common)}`;
  return (aspect ?? 0) < AGREEMENT ? `about ${ofB}, not ${ofA}` : `${ofA} and ${ofB} are related`;
}

/** The weakness of the catalogue that both are near, if they are. */
function weaknessReason({ weaknesses }: Lexicon, a: Profile, b: Profile, content: Content): string[] {
  if (content.oneWeakness < SAME_WEAKNESS) return [];
  const weakness = weaknesses.ids[weaknessOfBoth(a.likely, b.likely) ?? -1];
  const title = weakness === undefined ? undefined : weaknessById(weakness)?.title;
  return title === undefined ? [] : [`both are like other texts about "${title}"`];
}

function thingReason(lexicon: Lexicon, a: Profile, b: Profile, { object }: Content): string {
  if (object === null) return 'one side does not name the thing, or only mentions it';
  const common = a.objects.filter((one) => b.objects.includes(one));
  if (common.length > 0) return `both concern: ${conceptNames(lexicon, common)}`;
  const ofA = conceptNames(lexicon, a.objects);
  const ofB = conceptNames(lexicon, b.objects);
  return object < AGREEMENT ? `about ${ofB}, not ${ofA}` : `${ofA} and ${ofB} belong together`;
}

function detailsReason(lexicon: Lexicon, a: Profile, b: Profile, { detailsDiffer }: Content): string {
  if (settingsDiffer(a.settings, b.settings)) {
    return `about the setting ${b.settings.join(', ')}, not ${a.settings.join(', ')}`;
  }
  const deciding = decidingDifference(lexicon, a.deciding, b.deciding);
  if (deciding !== null) return deciding;
  const common = a.qualifiers.filter((one) => b.mentioned.has(one));
  if (common.length > 0) return `both name ${conceptNames(lexicon, common)}`;
  if (a.qualifiers.length + b.qualifiers.length === 0) return 'no details';
  if (detailsDiffer) return `${conceptNames(lexicon, b.qualifiers)}, not ${conceptNames(lexicon, a.qualifiers)}`;
  return `only one side names ${conceptNames(lexicon, [...a.qualifiers, ...b.qualifiers])}`;
}

const MOST_WORDS = 6;
/** A word that is found less than this is called missing. */
const FOUND = 0.5;

/** A profile, with how its claim writes the stems. */
interface Spelled extends Profile {
  written: (stem: string) => string;
}

function spelled(lexicon: Lexicon, profile: Profile, claim: Claim): Spelled {
  return { ...profile, written: writtenWords(lexicon, claim) };
}

function wordsReason(a: Spelled, b: Spelled): string {
  const found = (of: Profile, by: Profile) => of.terms.filter((term) => saidBy(by, term) >= FOUND);
  const replaced = (of: Profile, by: Profile) => of.terms.filter((term) => isReplaced(by, term));
  const lacking = (of: Profile, by: Profile) =>
    of.terms
      .filter((term) => saidBy(by, term) < FOUND && !isReplaced(by, term))
      .toSorted((x, y) => y.evidence.weight - x.evidence.weight);
  const list = (terms: readonly Term[], most: number, written: Spelled['written']) =>
    [...new Set(terms.map(({ text }) => written(text)))].slice(0, most).join(', ');
  const writtenByEither = (text: string) => (a.said.has(text) ? a.written(text) : b.written(text));
  const common = list([...found(a, b), ...found(b, a)], MOST_WORDS, writtenByEither);
  const inOtherWords = replaced(a, b)
    .slice(0, MOST_WORDS / 2)
    .map((term) => `${a.written(term.text)} (${b.written(replacementIn(b, term)?.word ?? '')})`)
    .join(', ');
  const parts = [
    common === '' ? 'no word in common' : `both say: ${common}`,
    ...[inOtherWords].filter(Boolean).map((words) => `in other words: ${words}`),
    ...[list(lacking(a, b), MOST_WORDS / 2, a.written)]
      .filter(Boolean)
      .map((words) => `only the vulnerability: ${words}`),
    ...[list(lacking(b, a), MOST_WORDS / 2, b.written)].filter(Boolean).map((words) => `only the finding: ${words}`),
  ];
  return parts.join('; ');
}

function isReplaced(by: Profile, term: Term): boolean {
  return saidBy(by, term) < FOUND && (replacementIn(by, term)?.strength ?? 0) >= FOUND;
}

function rulesReason(rules: RuleRelation, a: EvidenceClaim, b: EvidenceClaim, points: number): string {
  const name = ({ ruleIds }: EvidenceClaim) => ruleIds.slice(0, 3).join(', ');
  const already = rules === 'same' && points === 0 ? '; the texts score as high without them' : '';
  const relation = { same: 'the same weakness', in_part: 'a weakness and a part of it' }[String(rules)];
  return `rule ${name(a)} and ${name(b)} name ${relation ?? `${rules} weaknesses`}${already}`;
}

function conceptNames({ concepts }: Lexicon, indices: readonly number[]): string {
  return [...new Set(indices.map((index) => concepts[index]?.says ?? ''))].join(', ');
}

/** How two places are related, in words. */
function describePlaces(relation: PlaceRelation, a: Place, b: Place): string {
  switch (relation) {
    case 'same':
      return a.addresses.length > 0 && b.addresses.length > 0
        ? `same resource: ${placeName(b)}`
        : 'a place that carries the flaw';
    case 'part':
      if (a.addresses.length === 0 || b.addresses.length === 0) return 'a place that belongs to the flaw';
      return `${placeName(a)} and ${placeName(b)} are parts of one thing`;
    case 'lines':
      return `same place: ${b.file ?? ''} ${lineText(b)}`;
    case 'near':
      return `${placeName(a)} and ${placeName(b)} may belong together`;
    case 'other':
      return a.addresses.length > 0 && b.addresses.length > 0
        ? `${placeName(b)} is not ${placeName(a)}`
        : `${b.file ?? ''} is not ${a.file ?? ''}`;
    case 'unknown':
      return 'one side does not say where';
  }
}

function placeName({ addresses }: Place): string {
  return addresses.slice(0, 2).map(addressText).join(', ');
}

function addressText({ type, name }: ResourceAddress): string {
  return [type, name].filter((part) => part !== null).join('.');
}

function lineText({ first, last }: Place): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}
