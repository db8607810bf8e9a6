import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import type { SeededChoice } from '../seeded-choice.ts';

/** Values that are safe anywhere. Templates and harmless edits take theirs from here, so that none shows its origin. */

const wordsSchema = z.strictObject({
  /** Words of the templates that stand for a company, a product or a team. */
  replaced: z.array(z.string()),
  organisations: z.array(z.string()),
  nouns: z.array(z.string()),
  /** Words of names, and what else they may be called. */
  labels: z.record(z.string(), z.array(z.string())),
  tags: z.array(z.string()),
  roles: z.array(z.string()),
});

export const words = once(() => wordsSchema.parse(JSON.parse(dataFile(import.meta.url, './words.json'))));

export function drawAccount(choice: SeededChoice): string {
  return `${choice.between(1, 9)}${String(choice.between(0, 99_999_999_999)).padStart(11, '0')}`;
}

/** A private network, by the first two numbers of its addresses: `10.84`. */
export function drawNetwork(choice: SeededChoice, second = choice.between(0, 3)): string {
  if (choice.between(1, 5) === 1) return `172.${16 + 4 * choice.between(0, 3) + (second % 4)}`;
  return `10.${4 * choice.between(0, 62) + (second % 4)}`;
}

/** A private network of IPv6. */
export function drawLocalNetwork(choice: SeededChoice): string {
  const group = () => choice.between(0x10, 0xffff).toString(16);
  return `fd${choice.between(0x10, 0xff).toString(16)}:${group()}::`;
}

function drawNoun(choice: SeededChoice): string {
  return choice.one(words().nouns) ?? 'atlas';
}

/** The name of a role, a bucket or a queue: `parcel-loader`. */
export function drawName(choice: SeededChoice): string {
  return `${drawNoun(choice)}-${choice.one(words().roles) ?? 'worker'}`;
}
