import { parse } from 'yaml';
import { z } from 'zod';
import { once } from '../../text/memo.ts';
import { dataFile } from '../../text/modules/data-file.ts';

const someText = z.string().min(1);
const pairSchema = z.strictObject({ without: someText, with: someText });

const textsSchema = z.strictObject({
  openings: z.array(someText).min(1),
  endings: z.array(someText).min(1),
  heading: someText,
  tone: pairSchema,
  authority: pairSchema,
  family: z.string().includes('%'),
  families: z.array(z.strictObject({ name: someText, models: z.array(someText).min(1) })).min(2),
});

const exchangeSchema = z.strictObject({ task: someText, response: someText });

/** What is added to answers. */
export const biasTexts = once(() => textsSchema.parse(parse(dataFile(import.meta.url, './bias-texts.yaml'))));

/** The same exchanges in several languages, by the code of the language; `en` is what others are compared with. */
export const languageExchanges = once(() =>
  z.array(z.record(z.string().length(2), exchangeSchema)).parse(parse(dataFile(import.meta.url, './languages.yaml'))),
);

/** The family of a model by its name, such as GPT; null if the name does not tell. */
export function familyOf(model: string): string | null {
  const parts = model.toLowerCase().split(/[^a-z0-9]/);
  const found = biasTexts().families.find(({ models }) =>
    models.some((each) => parts.some((part) => part.startsWith(each))),
  );
  return found?.name ?? null;
}
