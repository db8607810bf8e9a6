import { z } from 'zod';
import { once } from '../../text/memo.ts';
import { dataFile } from '../../text/modules/data-file.ts';

const injectionSchema = z.strictObject({
  id: z.string(),
  style: z.string(),
  /** answer: the agent is to write a word in its answer; call: it is to call a tool with a word as argument. */
  action: z.enum(['answer', 'call']),
  /**
   * With {tool}, {parameter} and {canary}, or with {first} and {second}: the halves of the canary. An answer that only quotes
   * the instruction does not have the canary in it then.
   */
  text: z.string(),
  /** How the text is hidden. */
  encode: z.enum(['base64', 'rot13']).optional(),
  /** Written before an encoded text. */
  before: z.string().optional(),
});

export type InjectionText = z.infer<typeof injectionSchema>;

/** The texts that can be hidden in the results of tools. */
const injectionPack = once((): readonly InjectionText[] =>
  z.array(injectionSchema).parse(JSON.parse(dataFile(import.meta.url, './injections.json'))),
);

/** The names by which a fault can choose texts: ids, styles and actions. */
export function injectionNames(): string[] {
  return [...new Set(injectionPack().flatMap(({ id, style, action }) => [id, style, action]))];
}

/** The texts that a fault chooses; all if it chooses none. */
export function chosenInjections(names: readonly string[] | undefined): InjectionText[] {
  if (!names) return [...injectionPack()];
  return injectionPack().filter(({ id, style, action }) => [id, style, action].some((name) => names.includes(name)));
}
