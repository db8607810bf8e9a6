import type { ConceptKind, Lexicon } from './compiled-lexicon.ts';
import type { Reading } from './read-text.ts';

/** What is wrong by a claim: what its headline says, or the text below it when the headline gives only a heading. */
export function aspectsMeant(lexicon: Lexicon, head: Reading, body: Reading): number[] {
  const ofHead = ofKind(lexicon, head, 'aspect');
  const said = isPrecise(lexicon, head) ? ofHead : [...new Set([...ofHead, ...ofKind(lexicon, body, 'aspect')])];
  const precise = said.filter((aspect) => lexicon.concepts[aspect]?.yields === false);
  const aspects = withoutImplied(lexicon, precise.length > 0 ? precise : said);
  if (aspects.length > 0) return aspects;
  const [thing, another] = withoutAncestors(lexicon, ofKind(lexicon, head, 'object'));
  const provided = another === undefined ? lexicon.provided.get(thing ?? -1) : undefined;
  return provided === undefined ? aspectsOfDetails(lexicon, head) : [provided];
}

/**
 * What a claim is about: what its headline and the type of its resource say, or else the text below, or else what its
 * aspects imply. `firm` tells whether that is more than a mention.
 */
export function objectsMeant(
  lexicon: Lexicon,
  aspects: readonly number[],
  typeObjects: readonly number[],
  head: Reading,
  body: Reading,
): { objects: number[]; firm: boolean } {
  const implied = aspects.flatMap((aspect) => lexicon.implied.get(aspect) ?? []);
  const choices = [[...ofKind(lexicon, head, 'object'), ...typeObjects], ofKind(lexicon, body, 'object'), implied];
  const named = withoutAncestors(lexicon, [...new Set(choices.find((choice) => choice.length > 0) ?? [])]);
  const matters = new Set(aspects.flatMap((aspect) => withAncestors(lexicon, aspect)));
  const firm = named.filter(
    (object) =>
      lexicon.concepts[object]?.yields === false && !lexicon.mere.get(object)?.some((aspect) => matters.has(aspect)),
  );
  return firm.length > 0 ? { objects: firm, firm: true } : { objects: named, firm: false };
}

/** Whether a text says what is wrong, and not only under which heading it falls. */
export function isPrecise(lexicon: Lexicon, reading: Reading): boolean {
  return ofKind(lexicon, reading, 'aspect').some((aspect) => lexicon.concepts[aspect]?.yields === false);
}

export function ofKind(lexicon: Lexicon, reading: Reading, kind: ConceptKind): number[] {
  return [...reading.concepts].filter((concept) => lexicon.concepts[concept]?.kind === kind);
}

/** Who says "encryption at rest" need not be held to "encryption" as well. */
function withoutImplied(lexicon: Lexicon, aspects: number[]): number[] {
  const implied = impliedBy(lexicon, aspects);
  return aspects.filter((aspect) => !implied.has(aspect));
}

/** "The endpoint of SageMaker" is not about the notebooks, though SageMaker has them. */
function withoutAncestors(lexicon: Lexicon, objects: number[]): number[] {
  const wider = new Set(objects.flatMap((object) => withAncestors(lexicon, object).slice(1)));
  return objects.filter((object) => !wider.has(object));
}

/** The aspects whose words may be said beside others, but which are not meant for themselves. */
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
  const dimensions = ofKind(lexicon, head, 'qualifier').map((detail) => lexicon.concepts[detail]?.dimension ?? '');
  return [...new Set(dimensions.flatMap((dimension) => lexicon.dimensionAspects.get(dimension) ?? []))];
}
