const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/** Where a text has these words with no letter or digit beside them. */
export function placesOf(text: string, words: string): number[] {
  if (words === '') return [];
  const places: number[] = [];
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const isWhole = !isPart(text, at, -1) && !isPart(text, at + words.length - 1, 1);
    if (isWhole) places.push(at);
  }
  return places;
}

export function hasWords(text: string, words: string): boolean {
  return placesOf(text, words).length > 0;
}

/** The text with other words in all these places. */
export function withOtherWords(text: string, words: string, other: string): string {
  let [changed, from] = ['', 0];
  for (const at of placesOf(text, words)) {
    if (at < from) continue;
    changed += text.slice(from, at) + other;
    from = at + words.length;
  }
  return changed + text.slice(from);
}

/** Whether a word goes on beyond its edge. The number 9 is no word of its own in 49.9 or 9,90. */
function isPart(text: string, edge: number, step: 1 | -1): boolean {
  const [own, beside, next] = [0, 1, 2].map((far) => text[edge + far * step]);
  if (own === undefined || beside === undefined || !WORD_CHARACTER.test(own)) return false;
  if (WORD_CHARACTER.test(beside)) return true;
  return (beside === '.' || beside === ',') && isDigit(own) && isDigit(next);
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}
