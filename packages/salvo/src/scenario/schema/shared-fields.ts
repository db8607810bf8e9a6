import { z } from 'zod';
import { laterSchema } from '../../secrets/text-marks.ts';
import { howToWriteShare, PERCENTAGE_PATTERN, readShare } from '../../text/share.ts';
import { aValue } from '../../text/words/value-words.ts';
import { LABEL, LABEL_RULE } from './worker-label.ts';

// Fields that scenarios, assertions and salvo.yaml have in common. Each start builds all of its schemas, so that what many
// have is built once.

/** A text that is not empty. */
export const someText = z.string().min(1);

/**
 * The model of judges and simulated users for which nothing else is said. OpenAI shuts it down on 2027-01-14: see
 * `models/known/model-ends.json`, which names a successor.
 */
export const DEFAULT_MODEL = 'gpt-4o-mini';

/** Every share in a scenario or in salvo.yaml: a number from 0 to 1, or a percentage such as `80%`. */
export const shareSchema = z
  .custom<number | `${number}%`>((value) => readShare(value) !== null, {
    error: ({ input }) => `${aValue(input)} is not a share from 0 to 1: ${howToWriteShare(input)}`,
  })
  .meta({
    anyOf: [
      { type: 'number', minimum: 0, maximum: 1 },
      { type: 'string', pattern: PERCENTAGE_PATTERN },
    ],
  })
  .transform((value) => readShare(value) ?? Number.NaN);

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

/** How a judge is asked, in an assertion, a rubric file and salvo.yaml. */
export const judgeModeSchema = laterSchema(() =>
  z
    .enum(['chat', 'decide'])
    .describe('chat: a chat model writes scores with reasons. decide: a decision model answers with probabilities.'),
).optional();

export type JudgeMode = NonNullable<z.infer<typeof judgeModeSchema>>;

/**
 * Several judges in order, in an assertion, a rubric file and salvo.yaml: each decides what it is sure of. What a stage
 * needs is checked by `checkCascade`, which says more than a schema.
 */
export const cascadeSchema = laterSchema(() =>
  z
    .array(
      z.strictObject({
        adapter: someText.optional().describe('Default: judge_adapter.'),
        model: someText.optional().describe('The model that judges.'),
        mode: judgeModeSchema,
        k: z.int().min(1).max(21).optional().describe('Votes of this stage. A decision model votes once.'),
        sure: shareSchema
          .optional()
          .describe(
            'It decides if the probability of its verdict, or the share of its votes that agree, is at least this: above 0.5, up to 1. Without it, it decides everything.',
          ),
        people: z
          .literal(true)
          .optional()
          .describe('The last stage: people decide by labels in salvo view. Unscored until then.'),
      }),
    )
    .describe('Judges in order: each decides what it is sure of, and the next one decides the rest.'),
).optional();

export type WrittenStage = NonNullable<z.infer<typeof cascadeSchema>>[number];

export const labelsSchema = z
  .array(z.string().regex(LABEL, LABEL_RULE))
  .max(20)
  .describe(
    'What a worker must have to take its trials: see `salvo worker --labels`. Without workers it has no effect.',
  );

export const argumentMatchSchema = z
  .union([z.record(z.string(), z.unknown()), someText])
  .describe(
    'Arguments of the call: a subset that must be equal, with matchers such as {$regex: "^A-"}, {$near: 10, $tolerance: 0.5}, {$any_of: [a, b]}; or a JMESPath expression that must be true for them.',
  );

const turnSchema = z.union([z.int().positive(), z.enum(['last', 'any', 'every'])]);

/** Which answer of the agent an assertion is about. */
export type Turn = z.infer<typeof turnSchema>;

/** For assertions on what the agent answers. */
export const turnField = {
  turn: turnSchema
    .optional()
    .describe(
      "Which of the agent's answers to the user is meant: its number, from 1, or last, any or every. Default: last.",
    ),
};

/** How a value is compared; one of them is given. */
export const operatorFields = () => ({
  eq: z.unknown().optional().describe('The value is equal to this.'),
  ne: z.unknown().optional().describe('The value is missing or not equal to this.'),
  gt: z.number().optional().describe('The value is greater than this number.'),
  gte: z.number().optional().describe('The value is this number or greater.'),
  lt: z.number().optional().describe('The value is less than this number.'),
  lte: z.number().optional().describe('The value is this number or less.'),
  contains: z.unknown().optional().describe('The text contains this part, or the list contains this entry.'),
  not_contains: z
    .unknown()
    .optional()
    .describe('There is a text or a list, and it does not contain this part or entry.'),
  regex: z.string().optional().describe('The text matches this regular expression (RE2 syntax) somewhere.'),
  not_regex: z
    .string()
    .optional()
    .describe('There is a text, and this regular expression (RE2 syntax) matches nowhere in it.'),
  exists: z.boolean().optional().describe('Whether there is a value.'),
  not_exists: z.boolean().optional().describe('Whether there is none.'),
});

/**
 * The operators of `salvo mutate` whose mutants must fail.
 * @internal Exported for its tests.
 */
export const FAILING_OPERATORS = [
  ...(['call_dropped', 'lookup_dropped', 'call_repeated', 'call_moved', 'other_id', 'other_amount'] as const),
  ...(['call_after_error', 'failed_call_ignored', 'forbidden_call'] as const),
  ...(['result_denied', 'result_contradicted', 'claim_without_call'] as const),
  ...(['number_replaced', 'date_replaced', 'id_replaced', 'name_replaced'] as const),
  ...(['answer_cut', 'answer_empty', 'answer_refusal', 'answer_other_language', 'answer_other_case'] as const),
  ...(['secret_leaked', 'system_prompt_leaked', 'last_turn_missing'] as const),
] as const;

/** Those whose mutants must pass. */
const PASSING_OPERATORS = [
  ...(['extra_read', 'reads_reordered', 'number_form', 'white_space', 'markdown', 'synonyms', 'politer'] as const),
] as const;

export const OPERATOR_NAMES = [...FAILING_OPERATORS, ...PASSING_OPERATORS] as const;
export type OperatorName = (typeof OPERATOR_NAMES)[number];

/** What `salvo mutate` leaves out of a scenario, and why. */
export const mutateField = laterSchema(() =>
  z.strictObject({
    ignore: z
      .strictObject(
        Object.fromEntries(OPERATOR_NAMES.map((name) => [name, someText.optional().describe('Why it is not used.')])),
      )
      .optional()
      .describe('Operators of `salvo mutate` that are not used here, each with the reason, which the report shows.'),
  }),
)
  .optional()
  .describe('For `salvo mutate`, which changes stored traces and looks whether the assertions notice it.');
