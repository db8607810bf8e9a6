/** Nobody needs more to say what is wrong. */
const LONGEST = 20_000;

/** A text as words with one blank between them and around them, so that phrases can be looked for. */
export function plainWords(text: string): string {
  const words = text
    .slice(0, LONGEST)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return ` ${(words ?? []).join(' ')} `;
}

/** Whether a phrase is there, its last word perhaps in a longer form: `encrypt` is in `not encrypted`. */
export function says(words: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => words.includes(` ${phrase}`));
}
