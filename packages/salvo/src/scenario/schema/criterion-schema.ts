import { z } from 'zod';
import { laterSchema } from '../../secrets/text-marks.ts';
import { once } from '../../text/memo.ts';
import { cutEnd } from '../../text/words/cut-text.ts';
import { judgeModeSchema, someText } from './shared-fields.ts';

/** A text alone is a name, if it is short; otherwise it is what the judge should look for. */
function howToWriteCriterion(text: string): string {
  const isName = text.trim().split(/\s+/).length <= LONGEST_NAME;
  const [name, description] = isName ? [text.trim(), 'what a good answer does'] : ['a-short-name', text.trim()];
  return `write {name: ${JSON.stringify(cutEnd(name, 60, '…'))}, description: ${JSON.stringify(cutEnd(description, 120, '…'))}}`;
}

/** In words. */
const LONGEST_NAME = 3;

/** One line of a rubric. */
export const criterionSchema = laterSchema(() =>
  z
    .strictObject(
      {
        name: z.string().trim().min(1).max(200).describe('What is judged, in a word or two. Unique in the rubric.'),
        description: z.string().trim().min(1).describe('What a good answer does. The judge sees this.'),
        weight: z.number().nonnegative().default(1).describe('How much it counts compared with the others.'),
        scale: z
          .record(z.string(), someText)
          .optional()
          .describe('Its own bands instead of the default five: a score from 0 to 1, and what earns it.'),
        binary: z.boolean().optional().describe('Only 0 or 1, nothing in between.'),
        reference: someText.optional().describe('A text to compare the answer with.'),
        parts: z
          .enum(['all', 'any'])
          .optional()
          .describe(
            'If a trial is judged in parts: all takes the lowest score of a part, any the highest. Default: all.',
          ),
      },
      { error: ({ input }) => (typeof input === 'string' ? howToWriteCriterion(input) : undefined) },
    )
    .meta({ title: 'Criterion' }),
);

export const criteriaSchema = once(() => z.array(criterionSchema).min(1));

/** A rubric file that is a map. It may also be the list alone. */
export const rubricSchema = once(() => z.strictObject({ criteria: criteriaSchema(), mode: judgeModeSchema }));

export type Criterion = z.infer<typeof criterionSchema>;

/** The fields of a criterion that the library's functions need. */
export type CriterionLike = Pick<Criterion, 'name' | 'description' | 'weight'> &
  Partial<Pick<Criterion, 'scale' | 'binary' | 'reference' | 'parts'>>;
