import type { Lexicon } from '../lexicon/compile-lexicon.ts';
import type { ConceptKind } from '../lexicon/compiled-lexicon.ts';
import type { Reading } from './read-text.ts';

/**
 * What is wrong according to a claim: what its headline says, or also the text below if the headline is too general.
 */
export function aspectsMeant(lexicon: Lexicon, head: Reading, body: Reading): number[] {
  const ofHead = conceptsOfKind(lexicon, head, 'aspect');
  const said = isPrecise(lexicon, head)
    ? ofHead
    : [...new Set([...ofHead, ...conceptsOfKind(lexicon, body, 'aspect')])];
  const precise = said.filter((aspect) => lexicon.concepts[aspect]?.yields === false);
  const aspects = withoutImplied(lexicon, precise.length > 0 ? precise : said);
  if (aspects.length > 0) return aspects;
  const [thing, another] = withoutAncestors(lexicon, conceptsOfKind(lexicon, head, 'object'));
  const provided = another === undefined ? lexicon.provided.get(thing ?? -1) : undefined;
  return provided === undefined ? aspectsOfDetails(lexicon, head) : [provided];
}

/**
 * The objects that a claim is about: those of its headline and of the type of its resource, or else of the text below,
 * or else those that its aspects imply. `firm` says whether they are more than mentioned.
 */
export function objectsMeant(
  lexicon: Lexicon,
  aspects: readonly number[],
  typeObjects: readonly number[],
  head: Reading,
  body: Reading,
): { objects: number[]; firm: boolean } {
  const implied = aspects.flatMap((aspect) => lexicon.implied.get(aspect) ?? []);
  const choices = [
    [...conceptsOfKind(lexicon, head, 'object'), ...typeObjects],
    conceptsOfKind(lexicon, body, 'object'),
    implied,
  ];
  const named = withoutAncestors(lexicon, [...new Set(choices.find((choice) => choice.length > 0) ?? [])]);
  const matters = new Set(aspects.flatMap((aspect) => withAncestors(lexicon, aspect)));
  const firm = named.filter(
    (object) =>
      lexicon.concepts[object]?.yields === false && !lexicon.mere.get(object)?.some((aspect) => matters.has(aspect)),
  );
  return firm.length > 0 ? { objects: firm, firm: true } : { objects: named, firm: false };
}

/** Whether a text says precisely what is wrong, and not only a general heading. */
export function isPrecise(lexicon: Lexicon, reading: Reading): boolean {
  return conceptsOfKind(lexicon, reading, 'aspect').some((aspect) => lexicon.concepts[aspect]?.yields === false);
}

export function conceptsOfKind(lexicon: Lexicon, reading: Reading, kind: ConceptKind): number[] {
  return [...reading.concepts].filter((concept) => lexicon.concepts[concept]?.kind === kind);
}

/** A claim about "encryption at rest" is not also about "encryption" in general. */
function withoutImplied(lexicon: Lexicon, aspects: number[]): number[] {
  const implied = impliedBy(lexicon, aspects);
  return aspects.filter((aspect) => !implied.has(aspect));
}

/** "The endpoint of SageMaker" is about the endpoint, not about SageMaker as a whole. */
function withoutAncestors(lexicon: Lexicon, objects: number[]): number[] {
  const wider = new Set(objects.flatMap((object) => withAncestors(lexicon, object).slice(1)));
  return objects.filter((object) => !wider.has(object));
}

/** The aspects that others include or override: their words may occur, but they are not meant by themselves. */
export function impliedBy(lexicon: Lexicon, aspects: readonly number[]): Set<number> {
  return new Set(
    aspects.flatMap((aspect) => [...withAncestors(lexicon, aspect).slice(1), ...(lexicon.overrides.get(aspect) ?? [])]),
  );
}

function withAncestors(lexicon: Lexicon, concept: number): number[] {
  const found: number[] = [];
  for (let at = concept; at >= 0 && !found.includes(at); at = lexicon.concepts[at]?.parent ?? -1) found.push(at);
  return found;
}

function aspectsOfDetails(lexicon: Lexicon, head: Reading): number[] {
  const dimensions = conceptsOfKind(lexicon, head, 'qualifier').map(
    (detail) => lexicon.concepts[detail]?.dimension ?? '',
  );
  return [...new Set(dimensions.flatMap((dimension) => lexicon.dimensionAspects.get(dimension) ?? []))];
}
