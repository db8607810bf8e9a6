/** What JSON may hold as it is, but a terminal acts on or a reader cannot see: C1 controls, bidi and zero-width characters. */
const HARMFUL = /[\u007f-\u009f\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** JSON that is safe to print, on one line unless `indent` is given: the same document for a parser, with escapes for what would act on a terminal. */
export function harmlessJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(HARMFUL, (character) =>
    Array.from({ length: character.length }, (_, index) => unitEscape(character.charCodeAt(index))).join(''),
  );
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
