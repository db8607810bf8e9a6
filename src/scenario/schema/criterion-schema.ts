import { z } from 'zod';

/** One line of a rubric. */
export const criterionSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200).describe('What is judged, in a word or two. Unique in the rubric.'),
    description: z.string().trim().min(1).describe('What a good answer does. The judge sees this.'),
    weight: z.number().nonnegative().default(1).describe('How much it counts against the others.'),
    scale: z
      .record(z.string(), z.string().min(1))
      .optional()
      .describe('Bands of its own instead of the usual five: a score from 0 to 1, and what earns it.'),
    binary: z.boolean().optional().describe('Only 0 or 1, nothing between.'),
    reference: z.string().min(1).optional().describe('A text to compare the answer with.'),
  })
  .meta({ title: 'Criterion' });

export type Criterion = z.infer<typeof criterionSchema>;

/** What the library's functions need of a criterion: anything with these fields is one. */
export type CriterionLike = Pick<Criterion, 'name' | 'description' | 'weight'> &
  Partial<Pick<Criterion, 'scale' | 'binary' | 'reference'>>;
