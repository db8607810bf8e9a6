import { seededRandom } from '../../../stats/seeded-random.ts';

/** Everything that is left to chance in a game, from one seed. */
export interface Draw {
  /** From `least` to `most`, both inclusive. */
  between(least: number, most: number): number;
  /** Undefined only of an empty list. */
  one<T>(items: readonly T[]): T | undefined;
  shuffled<T>(items: readonly T[]): T[];
}

export function createDraw(...parts: (number | string)[]): Draw {
  const random = seededRandom(...parts);
  const below = (end: number) => Math.floor(random() * end);
  return {
    between: (least, most) => least + below(most - least + 1),
    one: (items) => items[below(items.length)],
    shuffled: (items) => {
      const keyed = items.map((item) => ({ item, key: random() }));
      return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
    },
  };
}
