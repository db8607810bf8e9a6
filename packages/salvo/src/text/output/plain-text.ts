const LINE_BREAKS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g;
/** Zero-width characters, bidi controls, joiners, tag characters, variation selectors: models read them, people don't. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** No script stacks more than four marks on a letter; a hostile text does, to cover the lines above and below. */
export const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;
const PLAIN = /^[\t\n\x20-\x7e]*$/;
/** Control characters, lone surrogates, and what hides or changes the direction of text. */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * A text as a person would see it: invisible characters are removed, control characters become visible symbols (␛ for
 * ESC), every line break is \n. So a judge reads nothing that a reader of the report would not see.
 */
export function plainText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(LINE_BREAKS, '\n')
    .replaceAll(INVISIBLE, '')
    .replaceAll(CONTROLS, visibleControl);
}

/** A line of a file that is safe to print and has the same length: each unsafe character becomes one symbol. */
export function visibleText(text: string): string {
  return text.replace(UNSAFE, visibleControl);
}

/** A symbol for a control character: ␛ for ESC, and the replacement character where there is none. */
export function visibleControl(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x7f) return '␡';
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}

/**
 * JSON may contain these unescaped, but a terminal acts on them or a reader can't see them: C1, bidi, zero-width. `##[`
 * begins a command in a log of GitHub Actions.
 */
const HARMFUL = /[\u007f-\u009f\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]|#(?=#\[)/gu;

/** JSON that is safe to print: the same document for a parser, on one line unless `indent` is given. */
export function harmlessJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(HARMFUL, (character) =>
    Array.from({ length: character.length }, (_, index) => unitEscape(character.charCodeAt(index))).join(''),
  );
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
