/** The beginning of a text, with an ellipsis instead of the rest. Never half of a surrogate pair. */
export function cutEnd(text: string, max: number, ellipsis = '...'): string {
  return text.length <= max ? text : beginning(text, max) + ellipsis;
}

/**
 * A text cut to about `max` characters in its middle, because beginning and end say most. Says how much was left out.
 */
export function cutMiddle(text: string, max: number): string {
  return middleCut(text, max).shown;
}

/** The same, with the number of characters that are left out. */
export function middleCut(text: string, max: number): { shown: string; left: number } {
  if (text.length <= max) return { shown: text, left: 0 };
  const half = Math.max(0, max) / 2;
  const start = beginning(text, Math.ceil(half));
  const end = ending(text, Math.floor(half));
  const left = text.length - start.length - end.length;
  return { shown: `${start}\n[... ${left} characters left out ...]\n${end}`, left };
}

/** The part of a text between two offsets, which are moved so that no surrogate pair is cut in half. */
export function textBetween(text: string, from: number, to: number): { text: string; from: number; to: number } {
  const start = isInsidePair(text, from) ? from - 1 : from;
  const end = isInsidePair(text, to) ? to + 1 : to;
  return { text: text.slice(start, end), from: start, to: end };
}

function beginning(text: string, length: number): string {
  return text.slice(0, isInsidePair(text, length) ? length - 1 : length);
}

function ending(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(isInsidePair(text, start) ? start + 1 : start);
}

function isInsidePair(text: string, index: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, index - 1), index + 1)) && index > 0;
}
