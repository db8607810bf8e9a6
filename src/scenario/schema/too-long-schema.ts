import { z } from 'zod';

/** Less has no room for a part and for what it repeats of the one before. */
export const FEWEST_CONTEXT_CHARACTERS = 4_000;

/** What a judge does with a trial that is too long for it, in an assertion and in salvo.yaml. */
export const tooLongSchema = z.object({
  when_too_long: z
    .enum(['parts', 'unscored', 'cut'])
    .optional()
    .describe(
      'If a trial is longer than the judge may see at once: parts judges it in parts (the default), unscored does not judge it, cut shows its beginning and end only.',
    ),
  max_context_characters: z
    .int()
    .min(FEWEST_CONTEXT_CHARACTERS)
    .optional()
    .describe(
      "How many characters of a trial the judge may see at once. Default: 200,000, or what the judge's context holds if that is known and less.",
    ),
});

export type WhenTooLong = NonNullable<z.infer<typeof tooLongSchema>['when_too_long']>;
