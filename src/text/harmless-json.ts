/** JSON may contain these unescaped, but a terminal acts on them or a reader can't see them: C1, bidi, zero-width. */
const HARMFUL = /[\u007f-\u009f\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** JSON that is safe to print: the same document for a parser, on one line unless `indent` is given. */
export function harmlessJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(HARMFUL, (character) =>
    Array.from({ length: character.length }, (_, index) => unitEscape(character.charCodeAt(index))).join(''),
  );
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
