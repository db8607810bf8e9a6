import { seededRandom } from 'salvo/kit/stats';

/** All random choices of a game, from one seed. */
export interface SeededChoice {
  /** From `least` to `most`, both inclusive. */
  between(least: number, most: number): number;
  /** Undefined only for an empty list. */
  one<T>(items: readonly T[]): T | undefined;
  /** With a weight, an item of twice the weight is twice as likely to come first. */
  shuffled<T>(items: readonly T[], weight?: (item: T) => number): T[];
}

export function createSeededChoice(...parts: (number | string)[]): SeededChoice {
  const random = seededRandom(...parts);
  const below = (end: number) => Math.floor(random() * end);
  return {
    between: (least, most) => least + below(most - least + 1),
    one: (items) => items[below(items.length)],
    shuffled: (items, weight = () => 1) => {
      // Exponential arrival times with the weight as the rate: the order of arrival is a weighted shuffle.
      const keyed = items.map((item) => ({ item, key: -Math.log(1 - random()) / weight(item) }));
      return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
    },
  };
}
