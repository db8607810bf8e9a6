import type { Claim } from '../claims/claim.ts';
import { parseAddress } from '../claims/resource-address.ts';
import { weaknessById, weaknessesOfRule } from '../weaknesses/weaknesses.ts';
import { blameIn } from './blame-in.ts';
import type { Lexicon } from './compiled-lexicon.ts';
import { aspectsMeant, impliedBy, isPrecise, objectsMeant, ofKind } from './concepts-meant.ts';
import { type Reading, readText } from './read-text.ts';

/** What a claim says, in the lexicon's terms: all that is needed to compare it, but for the place. */
export interface Profile {
  /** What is wrong, as precisely as the claim says it. */
  aspects: readonly number[];
  /** What it is about. */
  objects: readonly number[];
  /** Its objects are more than mentioned, so that others would contradict them. */
  firmObjects: boolean;
  /** Its headline names a thing, so that this is not known from the resource alone. */
  namesThing: boolean;
  qualifiers: readonly number[];
  /** What else its headline says, and how much that weighs. */
  words: readonly Word[];
  /** The weight of all of them. */
  wordWeight: number;
  /** All that it mentions: the headline fully, the text below it somewhat less. */
  mentioned: ReadonlyMap<number, number>;
  said: ReadonlyMap<string, number>;
  /** It says that something is well. */
  praises: boolean;
}

interface Word {
  text: string;
  weight: number;
}

/** What the description says counts less than the type, the title and the attributes; less still when it says a lot. */
const BELOW_HEADLINE = 0.8;
const BELOW_HEADLINE_AT_LENGTH = 0.5;
const MANY_ASPECTS = 4;
/** More resources, or more of their names, are not read. */
const MOST_RESOURCES = 20;

export function profileOf(lexicon: Lexicon, claim: Claim): Profile {
  const addresses = claim.resources.slice(0, MOST_RESOURCES).map(parseAddress);
  const names = addresses.flatMap(({ name }) => (name !== null && isNoWord(name) ? [name] : []));
  const type = readText(lexicon, claim.type, names);
  const headline = splitAsides(claim.title);
  const title = readText(lexicon, [headline.title, ...claim.attributes.slice(0, MOST_RESOURCES)].join(' . '), names);
  const blame = blameIn(lexicon, claim.description);
  const body = readText(
    lexicon,
    [blame.text, headline.asides, claim.evidence, ...textsOfRules(claim.rule_ids)].join(' . '),
    names,
  );
  const head = headOf(lexicon, type, title, body);

  const typeObjects = addresses.flatMap((address) => lexicon.objectOfType(address.type ?? '') ?? []);
  const aspects = aspectsMeant(lexicon, head, body);
  const { objects, firm } = objectsMeant(lexicon, aspects, typeObjects, head, body);
  const words = [...head.words].map((text) => ({ text, weight: lexicon.weights.get(text) ?? 1 }));
  const headQualifiers = ofKind(lexicon, head, 'qualifier');
  const below = ofKind(lexicon, body, 'aspect').length < MANY_ASPECTS ? BELOW_HEADLINE : BELOW_HEADLINE_AT_LENGTH;
  const mentioned = weighted(body.concepts, below, head.concepts);
  for (const aspect of impliedBy(lexicon, aspects)) mentioned.delete(aspect);
  // What is only mentioned has its meaning from the thing, too, but may as well be meant as it is said.
  for (const [concept, weight] of [...mentioned]) {
    const meaning = meaningFor(lexicon, concept, objects);
    mentioned.set(meaning, Math.max(weight, mentioned.get(meaning) ?? 0));
  }
  return {
    aspects: [...new Set(aspects.map((aspect) => meaningFor(lexicon, aspect, objects)))],
    objects,
    firmObjects: firm,
    namesThing: ofKind(lexicon, head, 'object').length > 0,
    qualifiers: headQualifiers.length > 0 ? headQualifiers : ofKind(lexicon, body, 'qualifier'),
    words,
    wordWeight: words.reduce((sum, { weight }) => sum + weight, 0),
    mentioned,
    said: weighted(body.said, below, head.said),
    praises: blame.praises || blameIn(lexicon, claim.title).praises,
  };
}

/**
 * The type and the title, as a rule. A type that is only a heading (`logging`) gives way to what the title says is wrong,
 * or else the description; and a headline that says nothing gives way to whatever there is.
 */
function headOf(lexicon: Lexicon, type: Reading, title: Reading, body: Reading): Reading {
  const onlyAspects = ofKind(lexicon, type, 'aspect').length === type.concepts.size && type.words.size === 0;
  // One word, such as `kms`, may name a thing as well: it is still no more than where to look.
  const isHeading = onlyAspects || type.said.size === 1;
  if (isHeading && isPrecise(lexicon, title)) return title;
  if (isHeading && isPrecise(lexicon, body)) return union(title, body);
  const head = union(type, title);
  return head.concepts.size + head.words.size === 0 ? body : head;
}

/** A name such as `data` is a word, too, and stays in the texts. */
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
  return { concepts: a.concepts.union(b.concepts), words: a.words.union(b.words), said: a.said.union(b.said) };
}

function weighted<Key>(below: Iterable<Key>, weight: number, head: Iterable<Key>): Map<Key, number> {
  const weights = new Map<Key, number>();
  for (const key of below) weights.set(key, weight);
  for (const key of head) weights.set(key, 1);
  return weights;
}

/** More ids than this are not looked up. */
const MOST_RULES = 20;
/** Some rules have a sentence as their id: `aws-s3-enable-bucket-encryption`. */
const SPEAKING_RULE = /^[a-z]{2,30}(?:-[a-z0-9]{1,30}){3,12}$/;

/** What the rules of a claim say in words: the weaknesses that they report, and ids that are sentences. */
export function textsOfRules(ruleIds: readonly string[]): string[] {
  return ruleIds.slice(0, MOST_RULES).flatMap((id) => {
    const titles = weaknessesOfRule(id).flatMap((weakness) => weaknessById(weakness)?.title ?? []);
    return SPEAKING_RULE.test(id) ? [id, ...titles] : titles;
  });
}

/** A shorter one belongs to what is said: `(CMK)`, `(missing encryption block)`. */
const FEWEST_WORDS = 8;
const PARENTHESES = /\(([^()]*)\)/g;

/** A title without its long remarks in parentheses: those give reasons, and reasons touch on other flaws. */
export function splitAsides(title: string): { title: string; asides: string } {
  const asides: string[] = [];
  const rest = title.replace(PARENTHESES, (whole, inner: string) => {
    if (inner.trim().split(/\s+/).length < FEWEST_WORDS) return whole;
    asides.push(inner);
    return ' ';
  });
  return rest.trim() === '' ? { title, asides: '' } : { title: rest, asides: asides.join(' . ') };
}
