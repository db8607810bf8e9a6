import { z } from 'zod';
import { laterSchema } from '../../secrets/text-marks.ts';
import { once } from '../../text/memo.ts';
import { cutEnd } from '../../text/words/cut-text.ts';
import { cascadeSchema, judgeModeSchema, shareSchema, someText, tooLongSchema, turnField } from './shared-fields.ts';
import { transformField } from './text-assertions.ts';

/** A text alone is a name, if it is short; otherwise it is what the judge should look for. */
function howToWriteCriterion(text: string): string {
  const isName = text.trim().split(/\s+/).length <= LONGEST_NAME;
  const [name, description] = isName ? [text.trim(), 'what a good answer does'] : ['a-short-name', text.trim()];
  return `write {name: ${JSON.stringify(cutEnd(name, 60, '…'))}, description: ${JSON.stringify(cutEnd(description, 120, '…'))}}`;
}

/** In words. */
const LONGEST_NAME = 3;

/** One line of a rubric. */
const criterionSchema = laterSchema(() =>
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
export const rubricSchema = once(() =>
  z.strictObject({ criteria: criteriaSchema(), mode: judgeModeSchema, cascade: cascadeSchema }),
);

export const CONTEXT_SECTIONS = [
  'task',
  'response',
  'tool_calls',
  'tool_results',
  'system_prompt',
  'tools',
  'conversation',
] as const;

/** What passes if two answers are compared. */
const requireSchema = laterSchema(() =>
  z.enum(['win', 'tie']).describe('With against: win passes if this answer is preferred, tie if the other one is not.'),
).optional();

/** The fields that only assertions of the type `judge` have: the criteria, and who judges by them. */
export const judgeFields = () => ({
  criteria: criteriaSchema().optional().describe('The rubric: what is judged, line by line.'),
  rubric: someText.optional().describe('A YAML file with the criteria, relative to the file that names it.'),
  against: someText
    .optional()
    .describe(
      'Which of two answers is better: "reference" for the text in reference, or a stored run (its id, the beginning of it, latest, latest~1; RUN@model).',
    ),
  reference: someText.optional().describe('With against: reference, the answer to compare with.'),
  require: requireSchema,
  judge_adapter: someText.optional().describe('Default: judge.adapter of salvo.yaml.'),
  judge_model: someText.optional().describe('Default: judge.model of salvo.yaml.'),
  mode: judgeModeSchema,
  judges: z
    .array(
      z.strictObject({
        adapter: someText.optional().describe('Default: judge_adapter.'),
        model: someText.describe('The model that judges.'),
        mode: judgeModeSchema,
        weight: z.number().positive().default(1).describe('How much its votes count compared with the others.'),
      }),
    )
    .min(1)
    .optional()
    .describe('A panel: each of these judges gives k votes; a decision model gives one that counts like k.'),
  cascade: cascadeSchema,
  k: z
    .int()
    .min(1)
    .max(21)
    .optional()
    .describe('Votes. Default: judge.k of salvo.yaml, else 3. A decision model votes once.'),
  temperature: z.number().min(0).max(2).optional().describe('Default: judge.temperature of salvo.yaml.'),
  max_tokens: z.int().positive().optional().describe('Default: judge.max_tokens of salvo.yaml.'),
  threshold: shareSchema.optional().describe('The weighted score a vote needs to pass.'),
  aggregation: z
    .enum(['median', 'mean', 'trimmed_mean'])
    .default('median')
    .describe('How the votes on a criterion become its score.'),
  ...turnField,
  ...transformField(),
  early_stop: z.boolean().default(false).describe('Skip votes that cannot change the outcome of the trial.'),
  include_system_prompt: z.boolean().default(false).describe("Show the judge the agent's system prompt and tools."),
  context: z.array(z.enum(CONTEXT_SECTIONS)).min(1).optional().describe('The parts of the trace that the judge sees.'),
  custom_prompt: someText.optional().describe('Instructions instead of the built-in ones.'),
  ...tooLongSchema.shape,
});

export type Criterion = z.infer<typeof criterionSchema>;

/** The fields of a criterion that the library's functions need. */
export type CriterionLike = Pick<Criterion, 'name' | 'description' | 'weight'> &
  Partial<Pick<Criterion, 'scale' | 'binary' | 'reference' | 'parts'>>;
