import { seededRandom } from '../../../stats/seeded-random.ts';

/** Everything that is left to chance in a game, from one seed. */
export interface Draw {
  /** From `least` to `most`, both inclusive. */
  between(least: number, most: number): number;
  /** Undefined only of an empty list. */
  one<T>(items: readonly T[]): T | undefined;
  /** With a weight, what weighs twice as much is twice as likely to come first. */
  shuffled<T>(items: readonly T[], weight?: (item: T) => number): T[];
}

export function createDraw(...parts: (number | string)[]): Draw {
  const random = seededRandom(...parts);
  const below = (end: number) => Math.floor(random() * end);
  return {
    between: (least, most) => least + below(most - least + 1),
    one: (items) => items[below(items.length)],
    shuffled: (items, weight = () => 1) => {
      // The times of arrival of each, were it to come at a rate of its weight.
      const keyed = items.map((item) => ({ item, key: -Math.log(1 - random()) / weight(item) }));
      return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
    },
  };
}
