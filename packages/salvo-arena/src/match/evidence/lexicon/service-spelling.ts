import { memoByWord, remembered } from 'salvo/kit/text';

/** Shorter names are too close to each other, and to other words: SNS, SQS and SES; ECS, ECR and EC2. */
const SHORTEST_NAME = 6;

/** Corrects a word that is unknown and one typing error away from the name of a single service. */
export function createServiceSpelling(
  names: Iterable<string>,
  isKnown: (word: string) => boolean,
): (word: string) => string {
  /** The names by what remains of them, and of a word, without one letter. */
  const byRest = new Map<string, Set<string>>();
  const ofServices = new Set([...names].filter((name) => /^[a-z]+$/.test(name) && name.length >= SHORTEST_NAME));
  for (const name of ofServices) {
    for (const rest of [name, ...restsOf(name)]) remembered(byRest, rest, () => new Set<string>()).add(name);
  }
  return memoByWord((word) => {
    if (word.length < SHORTEST_NAME - 1 || ofServices.has(word) || isKnown(word)) return word;
    const near = new Set([word, ...restsOf(word)].flatMap((rest) => [...(byRest.get(rest) ?? [])]));
    const [name, another] = [...near].filter((each) => isOneErrorFrom(word, each));
    return name !== undefined && another === undefined ? name : word;
  });
}

function restsOf(word: string): string[] {
  return [...word].map((_, at) => word.slice(0, at) + word.slice(at + 1));
}

/** A letter is missing, added or another one, or two neighbours are swapped. */
function isOneErrorFrom(word: string, name: string): boolean {
  let first = 0;
  while (first < word.length && word[first] === name[first]) first += 1;
  let last = 0;
  while (last < Math.min(word.length, name.length) - first && word.at(-1 - last) === name.at(-1 - last)) last += 1;
  const [left, right] = [word.slice(first, word.length - last), name.slice(first, name.length - last)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
