/** Longer texts are cut. */
const LONGEST = 20_000;

/** A text as words with single blanks between and around them, so that phrases can be searched. */
export function plainWords(text: string): string {
  const words = text
    .slice(0, LONGEST)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return ` ${(words ?? []).join(' ')} `;
}

/** Whether the words contain a phrase. Its last word may be longer: `encrypt` is in `not encrypted`. */
export function says(words: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => words.includes(` ${phrase}`));
}

/** A text of a claim in a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}...` : text);
}
