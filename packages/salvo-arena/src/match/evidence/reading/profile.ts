import type { Claim } from '../../claims/claim.ts';
import { parseAddress } from '../../claims/resource-address.ts';
import { weaknessById, weaknessesOfRule } from '../../weaknesses/weaknesses.ts';
import type { Lexicon } from '../lexicon/compile-lexicon.ts';
import type { WordEvidence } from '../lexicon/word-table.ts';
import type { LikelyWeaknesses, Subject, WeaknessKeys } from '../weaknesses/nearest-weaknesses.ts';
import { blameIn } from './blame-in.ts';
import { aspectsMeant, conceptsOfKind, impliedBy, isPrecise, objectsMeant } from './concepts-meant.ts';
import { decidingDetails } from './deciding-details.ts';
import { beginningOf, type Reading, readText } from './read-text.ts';
import { settingsNamed } from './settings-named.ts';

/** What a claim says, in the lexicon's terms: everything that is compared, except the place. */
export type Profile = ReturnType<typeof profileOf>;

export interface Term {
  text: string;
  beginning: string | null;
  evidence: WordEvidence;
  /** The concepts that it was read as. */
  concepts: readonly number[];
  /** Words that may replace it, and how far they do. */
  synonyms: readonly (readonly [string, number])[];
}

interface Topic {
  concept: number;
  evidence: WordEvidence;
}

/** The description counts less than type, title and attributes, and even less when it names many aspects. */
const BELOW_HEADLINE = 0.8;
const BELOW_HEADLINE_AT_LENGTH = 0.5;
const MANY_ASPECTS = 4;
/** Further resources and attributes are not read. */
const MOST_RESOURCES = 20;

export function profileOf(lexicon: Lexicon, claim: Claim) {
  const addresses = claim.resources.slice(0, MOST_RESOURCES).map(parseAddress);
  const names = addresses.flatMap(({ name }) => (name !== null && isNoWord(name) ? spellingsOf(name) : []));
  const type = readText(lexicon, claim.type, names);
  const headline = splitAsides(claim.title);
  const title = readText(lexicon, [headline.title, ...claim.attributes.slice(0, MOST_RESOURCES)].join(' . '), names);
  const blame = blameIn(lexicon, claim.description);
  const told = readText(lexicon, [blame.text, headline.asides, claim.evidence].join(' . '), names);
  const rules = textsOfRules(claim.rule_ids).join(' . ');
  const body = rules === '' ? told : union(told, readText(lexicon, rules, names));
  const head = headlineOf(lexicon, type, title, body);

  const types = addresses.flatMap(({ type }) => type?.replace(/^data\./, '') ?? []);
  const typeObjects = addresses.flatMap((address) => lexicon.objectOfType(address.type ?? '') ?? []);
  const aspects = aspectsMeant(lexicon, head, body);
  const { objects, firm } = objectsMeant(lexicon, aspects, typeObjects, head, body);
  const headQualifiers = conceptsOfKind(lexicon, head, 'qualifier');
  const below =
    conceptsOfKind(lexicon, body, 'aspect').length < MANY_ASPECTS ? BELOW_HEADLINE : BELOW_HEADLINE_AT_LENGTH;
  const mentioned = weighted(body.concepts, below, head.concepts);
  for (const aspect of impliedBy(lexicon, aspects)) mentioned.delete(aspect);
  // A mentioned aspect may mean what it means for the object, and also what it means by itself.
  for (const [concept, weight] of [...mentioned]) {
    const meaning = meaningFor(lexicon, concept, objects);
    mentioned.set(meaning, Math.max(weight, mentioned.get(meaning) ?? 0));
  }
  const meant = [...new Set(aspects.map((aspect) => meaningFor(lexicon, aspect, objects)))];
  // A rule may be for several weaknesses, so the details of their titles are not what the claim says.
  const qualifiers = headQualifiers.length > 0 ? headQualifiers : conceptsOfKind(lexicon, told, 'qualifier');
  const terms = termsOf(lexicon, head);
  const topics = [...new Set([...meant, ...objects, ...qualifiers])].map((concept) => ({
    concept,
    evidence: lexicon.evidenceOfConcept[concept] ?? NO_EVIDENCE,
  }));
  return {
    /** What is wrong, as precisely as the claim says. */
    aspects: meant,
    /** What it is about. */
    objects,
    /** Its objects are more than mentioned, so that other objects contradict them. */
    firmObjects: firm,
    /** Its headline says precisely what is wrong, in words of the lexicon. */
    namesFlaw: isPrecise(lexicon, head),
    /** Its headline names an object, which is then known not only from the resource. */
    namesThing: conceptsOfKind(lexicon, head, 'object').length > 0,
    qualifiers,
    /** The telling words of its headline that are no concept and not generic. */
    words: [...head.words].filter((word) => lexicon.evidenceOfWord(word).weight >= TELLING),
    /** Every word of its headline that has a weight. */
    terms,
    /** The settings that its headline names. */
    settings: settingsNamed(`${claim.type} . ${claim.title}`),
    /** What its headline states of the details that decide. */
    deciding: decidingDetails(lexicon, `${claim.type} . ${headline.title}`),
    /** The numbers of its headline. */
    numbers: [...head.terms.keys()].filter((word) => /^\d+$/.test(word)),
    /** Its aspects, objects and qualifiers, with what each tells. */
    topics,
    /** Every concept that it mentions: the headline counts fully, the text below it less. */
    mentioned,
    said: weighted(body.said, below, head.said),
    /** The weaknesses of the catalogue that it may be about. */
    likely: likelyWeaknesses(lexicon, weaknessKeys(lexicon, { terms, topics }, body.terms.keys()), {
      types,
      words: terms.map(({ text }) => text),
    }),
    /** Its headline is the name of a flaw (`bucket_unencrypted`), not a sentence. */
    isName: /^\S+$/.test(`${claim.type} ${claim.title}`.trim()),
    /** It says that something is in order. */
    praises: blame.praises || blameIn(lexicon, claim.title).praises,
  };
}

function likelyWeaknesses({ weaknesses }: Lexicon, keys: WeaknessKeys, subject: Subject): LikelyWeaknesses {
  return weaknesses.likely(weaknesses.scoresOf(weaknesses.weightsOf(keys)), subject);
}

/** What a claim says, as the table of weaknesses knows it. @internal */
export function weaknessKeys(
  lexicon: Lexicon,
  { terms, topics }: { terms: readonly Term[]; topics: readonly Topic[] },
  below: Iterable<string> = [],
): WeaknessKeys {
  return { words: terms, concepts: topics.map(({ concept }) => `#${lexicon.concepts[concept]?.id}`), below };
}

/** A word of less weight is no evidence if it is all that two claims share. */
const TELLING = 0.5;
const NO_EVIDENCE: WordEvidence = { weight: 0, present: 0, missing: 0 };

function termsOf(lexicon: Lexicon, { terms }: Reading): Term[] {
  return [...terms].flatMap(([text, concepts]) => {
    const evidence = lexicon.evidenceOfWord(text);
    return evidence.weight === 0
      ? []
      : [{ text, beginning: beginningOf(text), evidence, concepts, synonyms: lexicon.synonymsOf(text) }];
  });
}

const FEWEST_TELLING_WORDS = 3;

/**
 * The type and the title, as a rule. A type that is only a heading (`logging`) is replaced by the title if that is
 * precise, or else by title and description. A longer one (`weak-password-policy`) stays beside the description. An empty
 * headline is replaced by the description.
 */
function headlineOf(lexicon: Lexicon, type: Reading, title: Reading, body: Reading): Reading {
  const onlyAspects = conceptsOfKind(lexicon, type, 'aspect').length === type.concepts.size && type.words.size === 0;
  // A single word such as `kms` may name an object, but is still only a heading.
  const isHeading = onlyAspects || type.said.size === 1;
  if (isHeading && isPrecise(lexicon, title)) return title;
  const isTelling = type.said.size >= FEWEST_TELLING_WORDS && isPrecise(lexicon, type);
  if (isHeading && isPrecise(lexicon, body)) return union(isTelling ? union(type, title) : title, body);
  const head = union(type, title);
  return head.concepts.size + head.words.size === 0 ? body : head;
}

/** The code says `audit_logs` and the cloud says `audit-logs`. */
function spellingsOf(name: string): string[] {
  return [...new Set([name, name.replaceAll('_', '-'), name.replaceAll('-', '_')])];
}

/** A name such as `data` is also a word, and stays in the texts. */
function isNoWord(name: string): boolean {
  return name.length > 3 && /[-_\d]/.test(name);
}

/** "Encryption" of a load balancer is encryption in transit. */
function meaningFor(lexicon: Lexicon, aspect: number, objects: readonly number[]): number {
  const meanings = new Set(objects.map((object) => lexicon.meanings.get(object)?.get(aspect) ?? aspect));
  const [meaning = aspect] = meanings;
  return meanings.size === 1 ? meaning : aspect;
}

function union(a: Reading, b: Reading): Reading {
  return {
    concepts: a.concepts.union(b.concepts),
    terms: new Map([...b.terms, ...a.terms]),
    words: a.words.union(b.words),
    said: a.said.union(b.said),
  };
}

function weighted<Key>(below: Iterable<Key>, weight: number, head: Iterable<Key>): Map<Key, number> {
  const weights = new Map<Key, number>();
  for (const key of below) weights.set(key, weight);
  for (const key of head) weights.set(key, 1);
  return weights;
}

/** More ids than this are not looked up. */
const MOST_RULES = 20;
/** The id of some rules is a sentence: `aws-s3-enable-bucket-encryption`. */
const SENTENCE_ID = /^[a-z]{2,30}(?:-[a-z0-9]{1,30}){3,12}$/;

/** What the rules of a claim say in words: the titles of their weaknesses, and ids that are sentences. */
export function textsOfRules(ruleIds: readonly string[]): string[] {
  return ruleIds.slice(0, MOST_RULES).flatMap((id) => {
    const titles = weaknessesOfRule(id).flatMap((weakness) => weaknessById(weakness)?.title ?? []);
    return SENTENCE_ID.test(id) ? [id, ...titles] : titles;
  });
}

/** A shorter remark is part of the statement: `(CMK)`, `(missing encryption block)`. */
const FEWEST_WORDS = 8;
const PARENTHESES = /\(([^()]*)\)/g;

/** A title without its long remarks in parentheses: they give reasons, which mention other flaws. */
function splitAsides(title: string): { title: string; asides: string } {
  const asides: string[] = [];
  const rest = title.replace(PARENTHESES, (whole, inner: string) => {
    if (inner.trim().split(/\s+/).length < FEWEST_WORDS) return whole;
    asides.push(inner);
    return ' ';
  });
  return rest.trim() === '' ? { title, asides: '' } : { title: rest, asides: asides.join(' . ') };
}
