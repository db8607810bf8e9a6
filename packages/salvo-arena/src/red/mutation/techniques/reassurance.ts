import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import type { SeededChoice } from '../site/seeded-choice.ts';

/** A tag or a sentence with which engineers describe a resource. */
const reassuranceSchema = z.strictObject({ tag: z.string(), value: z.string(), sentence: z.string() });

export type Reassurance = z.infer<typeof reassuranceSchema>;

/** By category; `general` are claims about any resource. */
const claims = once(() => {
  const data: unknown = JSON.parse(dataFile(import.meta.url, './reassurances.json'));
  return z.record(z.string(), z.array(reassuranceSchema)).parse(data);
});

/** A claim that the resource is secure in a certain respect, or in general. Where there is no flaw, it is true. */
export function reassurance(category: string, choice: SeededChoice): Reassurance | null {
  return choice.one([...(claims()[category] ?? []), ...(claims().general ?? [])]) ?? null;
}
