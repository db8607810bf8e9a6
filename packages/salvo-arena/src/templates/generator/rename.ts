import type { SeededChoice } from '../seeded-choice.ts';
import { words } from './drawn-values.ts';

/** The words of one piece of a game. */
export interface Vocabulary {
  /** What this piece is about. */
  noun: string;
  /** Other words for those of the template. */
  words: ReadonlyMap<string, string>;
}

/** Words for a piece that no other piece of the game has. */
export function drawVocabulary(choice: SeededChoice, organisation: string, taken: Set<string>): Vocabulary {
  const free = choice.shuffled([...new Set(words().nouns)]).filter((noun) => !taken.has(noun));
  const noun = free[0] ?? 'atlas';
  taken.add(noun);
  const pairs = words().replaced.map((word, at): [string, string] => [
    word,
    free[1 + (at % (free.length - 1))] ?? noun,
  ]);
  return { noun, words: new Map([...pairs, ['northwind', organisation]]) };
}

/** A text with other words. Actions (`iam:ListMFADevices`) and what AWS names stay as they are. */
export function inOtherWords(text: string, { words: other }: Vocabulary): string {
  return text.replaceAll(/[A-Za-z][A-Za-z0-9]*/g, (token, at: number) => {
    if (/^(?:AWS|Amazon)/.test(token) || (text[at - 1] === ':' && /^[A-Z]/.test(token))) return token;
    return token.replaceAll(/[A-Z]?[a-z]+/g, (word) => {
      const found = other.get(word.toLowerCase());
      if (found === undefined) return word;
      return /^[A-Z]/.test(word) ? found.charAt(0).toUpperCase() + found.slice(1) : found;
    });
  });
}

/** Another name for a block, in the style of the language, that no block of the game has. */
export function drawLabel(
  label: string,
  vocabulary: Vocabulary,
  choice: SeededChoice,
  isTaken: (label: string) => boolean,
): string {
  const isPascal = /^[A-Z]/.test(label);
  const own = isPascal ? (label.match(/[A-Z]+[a-z0-9]*/g) ?? [label]) : label.split('_');
  const styled = (word: string) => (isPascal ? word.charAt(0).toUpperCase() + word.slice(1) : word);
  const joined = (parts: readonly string[]) => parts.join(isPascal ? '' : '_');
  const renamed = own.map((word) => {
    const other = vocabulary.words.get(word.toLowerCase());
    return other === undefined ? (choice.one(words().labels[word] ?? [word]) ?? word) : styled(other);
  });
  const prefixed = [styled(vocabulary.noun), ...renamed];
  const isBare = renamed.length === 1 && /^(?:main|this|base|primary)$/.test(renamed[0] ?? '');
  const wanted = isBare && choice.between(0, 1) === 0 ? [styled(vocabulary.noun)] : renamed;
  const candidates = choice.between(1, 3) === 1 ? [wanted, prefixed] : [prefixed, wanted];
  const found = candidates.map(joined).find((one) => !isTaken(one));
  if (found !== undefined) return found;
  for (let number = 2; ; number += 1) {
    const numbered = joined([...prefixed, String(number)]);
    if (!isTaken(numbered)) return numbered;
  }
}
