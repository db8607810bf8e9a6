import { memoByWord } from 'salvo/kit/text';
import type { ResourceAddress } from '../../claims/resource-address.ts';

type Named = Pick<ResourceAddress, 'type' | 'name'>;

/** Longer names are not taken loosely. */
const MOST_WORDS = 4;

/**
 * Whether two addresses of one type may be one resource because one name only has words more than the other: models
 * write `web_security_group` or `app_web` for `web`. `app_logs` and `app_data` are two resources, and so are resources of
 * the same name in two modules.
 */
export function areLooselySame(a: Named, b: Named): boolean {
  if (a.name === b.name) return false;
  const [ofA, ofB] = [looseWords(a), looseWords(b)];
  if (ofA.length === 0 || ofB.length === 0) return false;
  return ofA.every((word) => ofB.includes(word)) || ofB.every((word) => ofA.includes(word));
}

/** The keys of all names that are loosely the same, or only have fewer words; the key of the name itself is the last. */
export function looseKeys(address: Named): string[] {
  let subsets: string[][] = [[]];
  for (const word of looseWords(address)) subsets = subsets.flatMap((subset) => [subset, [...subset, word]]);
  return subsets
    .slice(1)
    .map((words) => words.join(' '))
    .toSorted((a, b) => a.length - b.length);
}

/** The words of a name without those of its type, sorted; none for a long name. */
function looseWords({ type, name }: Named): readonly string[] {
  return wordsOfAddress(`${type ?? ''} ${name ?? ''}`);
}

const wordsOfAddress = memoByWord((address): readonly string[] => {
  const [type = '', name = ''] = address.toLowerCase().split(' ');
  const ofType = type.split(SEPARATORS);
  // `web_sg` of an aws_security_group.
  const initials = ofType
    .slice(1)
    .map((word) => word.slice(0, 1))
    .join('');
  const words = new Set(name.split(SEPARATORS).filter((word) => word !== ''));
  const telling = [...words].filter((word) => word !== initials && !ofType.includes(word)).sort();
  return telling.length > MOST_WORDS ? [] : telling;
}, 200);

const SEPARATORS = /[^a-z0-9]+/;
