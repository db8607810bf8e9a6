import { INVISIBLE, STACKED_MARKS, visibleControl } from '../../src/text/output/plain-text.ts';

const PLAIN = /^[\t\n\x20-\x7e]*$/;
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** A joiner or a variation selector after an emoji is a part of it. */
const IN_EMOJI = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)(?:\u200d|\ufe0f)$/u;

/**
 * Text that somebody else wrote, as a reader must see it: control characters and those that reorder or hide text become
 * symbols, because an agent may have written them to deceive.
 */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  const lines = text.toWellFormed().replaceAll(LINE_BREAKS, '\n').replaceAll(CONTROLS, visibleControl);
  return lines
    .replaceAll(INVISIBLE, (character, at: number) =>
      IN_EMOJI.test(lines.slice(Math.max(0, at - 2), at + 1)) ? character : codeOf(character),
    )
    .replaceAll(STACKED_MARKS, '$1');
}

function codeOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
