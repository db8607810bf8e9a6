import { z } from 'zod';
import { once } from '../../text/memo.ts';
import { judgeFields } from './criterion-schema.ts';
import { argumentMatchSchema, operatorFields, shareSchema, someText, turnField } from './shared-fields.ts';
import { textAssertions } from './text-assertions.ts';
import { workspaceAssertions } from './workspace-schema.ts';

/** The fields of every assertion. */
export const assertionBase = {
  id: someText.optional().describe('A stable name for reports. Default: the position in the file.'),
  weight: z
    .number()
    .nonnegative()
    .default(1)
    .describe(
      'How much it counts in the score of a trial. With 0 it is only shown: it neither counts nor fails a trial.',
    ),
  required: z
    .boolean()
    .default(false)
    .describe('If a required assertion fails, the trial is a hard fail, whatever its score.'),
};

const HOW_TO_WRITE_CALL = 'write a call as {cancel: {id: A-1}}: the name of the tool, and its arguments';

/** A check that gives a score without a verdict passes from this score. */
export const DEFAULT_PASS_AT = 0.8;

/** For assertions whose code may give a score without a verdict. */
export const passAtField = {
  pass_at: shareSchema
    .optional()
    .describe(
      `The score from which it passes, if its code gives only a score: 0.9 or 90%. Default: ${DEFAULT_PASS_AT}.`,
    ),
};

export const OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'not_contains',
  'regex',
  'not_regex',
  'exists',
  'not_exists',
] as const;
export type Operator = (typeof OPERATORS)[number];

export const shorthandSchema = z
  .strictObject({
    path: someText.describe('A JMESPath expression, such as response.content.'),
    ...operatorFields(),
    ...turnField,
    ...assertionBase,
  })
  .meta({ title: 'path and operator', description: 'Short for a jmespath assertion.' });

const countSchema = z.union([
  z.int().nonnegative(),
  z.strictObject({
    min: z.int().nonnegative().optional().describe('At least this many times.'),
    max: z.int().nonnegative().optional().describe('At most this many times.'),
  }),
]);

const FINDINGS_METRICS = ['f1', 'recall', 'precision', 'severity_weighted_recall'] as const;

/** Which steps an assertion is about. */
const whichStep = () => ({
  step: z
    .union([z.int().positive(), z.enum(['first', 'last'])])
    .optional()
    .describe('The number of the step, from 1, or first or last. Default: every step.'),
  agent: someText.optional().describe('Only steps of the agent with this name.'),
});

/** The assertion types that come with Salvo. A run builds the schemas of those that it uses. */
export const ASSERTION_SCHEMAS = builtWhenRead({
  jmespath: () => ({
    expression: someText.describe(
      'A JMESPath expression over {response, turns, tool_calls, metadata}, such as response.content.',
    ),
    operator: z
      .enum(OPERATORS)
      .describe('How the result is compared. A missing value fails all but ne and not_exists.'),
    value: z.unknown().optional().describe('What the result is compared with; not for exists and not_exists.'),
    ...turnField,
  }),
  tool_called: () => ({
    tool: someText.describe('The name of a tool.'),
    arguments: argumentMatchSchema.optional(),
    times: countSchema.optional().describe('Exactly this many times, or {min, max}. Default: at least once.'),
  }),
  tool_not_called: () => ({
    tool: someText.describe('The name of a tool.'),
    arguments: argumentMatchSchema.optional(),
  }),
  tool_sequence: () => ({
    sequence: z
      .array(
        z.union([
          someText,
          z.strictObject({
            tool: someText.describe('The name of a tool.'),
            arguments: argumentMatchSchema.optional(),
          }),
        ]),
      )
      .min(1)
      .max(500)
      .describe('Names of tools, or maps with `tool` and `arguments`.'),
    mode: z
      .enum(['exact', 'in_order', 'any_order', 'same', 'only'])
      .default('in_order')
      .describe(
        'exact: these calls and no others; in_order: these in this order, others in between; any_order: each at least as often as listed; same: these calls and no others, in any order; only: no other calls, these as often as the agent likes, or not at all.',
      ),
  }),
  ...textAssertions,
  ...workspaceAssertions,
  final_state: () => ({
    after: z
      .array(z.record(z.string(), z.record(z.string(), z.unknown(), HOW_TO_WRITE_CALL), HOW_TO_WRITE_CALL))
      .optional()
      .describe(
        'Calls, such as [{cancel: {id: A-1}}]: the state is the one that they lead to. An empty list: nothing has changed.',
      ),
    path: someText.optional().describe('A JMESPath expression over the state: the part that is compared.'),
    equals: z.unknown().optional().describe('What the state, or the part at `path`, is equal to.'),
    ...operatorFields(),
  }),
  cost_limit: () => ({
    max_usd: z.number().nonnegative().describe('The maximum cost of a trial, in US dollars.'),
  }),
  latency_limit: () => ({
    max_seconds: z.number().nonnegative().describe('The maximum duration of a trial.'),
  }),
  step_latency: () => ({
    max_seconds: z.number().nonnegative().describe('The maximum duration of a step: one answer of a model.'),
    ...whichStep(),
  }),
  step_cost: () => ({
    max_usd: z.number().nonnegative().describe('The maximum cost of a step, in US dollars.'),
    ...whichStep(),
  }),
  conversation_ended: () => ({
    by: z
      .enum(['user', 'script', 'limit'])
      .optional()
      .describe(
        'user: the simulated user said that it is done; script: its script had nothing more to say; limit: `max_messages` or `max_turns` was reached. Default: user or script.',
      ),
    max_messages: z.int().positive().optional().describe('The user needed at most this many messages.'),
  }),
  no_false_success: () => ({
    claim: someText.describe('A regular expression (RE2 syntax) for an answer that claims success; (?i) ignores case.'),
    needs: z
      .strictObject({
        tool: someText.describe('The name of a tool.'),
        arguments: argumentMatchSchema.optional(),
      })
      .describe('The call that must have succeeded before such an answer.'),
  }),
  recovers: () => ({}),
  retries_at_most: () => ({
    max: z.int().nonnegative().describe('How often a call that failed may be repeated with the same arguments.'),
    tool: someText.optional().describe('Only calls of this tool. Default: of all tools.'),
  }),
  injection_resisted: () => ({}),
  given: () => ({}),
  custom: () => ({
    module: someText.describe('A TS or JS file, relative to the file that names it.'),
    function: someText.optional().describe('The exported function. Default: the default export.'),
    options: z.record(z.string(), z.unknown()).optional().describe('Passed to the function unchanged.'),
    ...passAtField,
  }),
  judge: judgeFields,
  findings: () => ({
    manifest: someText.describe('A JSON file that lists what there is to find, relative to the file that names it.'),
    min_recall: shareSchema.optional().describe('The minimum share of the vulnerabilities that must be found.'),
    min_precision: shareSchema.optional().describe('The minimum share of the findings that must be right.'),
    min_f1: shareSchema.optional().describe('The minimum F1, the harmonic mean of precision and recall.'),
    matcher: z
      .enum(['documented', 'evidence'])
      .default('documented')
      .describe('documented: the documented formula; evidence: also compares places, rules, synonyms and topics.'),
    match_threshold: shareSchema
      .optional()
      .describe('The minimum score of a match; 0.4 with the documented matcher and 0.55 with evidence, if not given.'),
    exact_threshold: shareSchema.prefault(0.7).describe('The minimum score of an exact match.'),
    metric: z.enum(FINDINGS_METRICS).default('f1').describe('The metric that is the score of the assertion.'),
  }),
});

type AssertionSchemas = typeof ASSERTION_SCHEMAS;
export type BuiltInAssertionType = keyof AssertionSchemas;
export type AssertionOf<T extends BuiltInAssertionType> = Extract<BuiltInAssertion, { type: T }>;

type Shapes = Record<string, () => z.core.$ZodLooseShape>;
type SchemaOf<Type extends string, Shape> = z.ZodObject<
  { type: z.ZodLiteral<Type> } & Shape & typeof assertionBase,
  z.core.$strict
>;

/** The schemas of types by the fields that only they have. Each is made when it is first read. */
function builtWhenRead<T extends Shapes>(
  shapes: T,
): { readonly [Type in keyof T & string]: SchemaOf<Type, ReturnType<T[Type]>> };
function builtWhenRead(shapes: Shapes): Record<string, z.ZodType> {
  const built: Record<string, z.ZodType> = {};
  for (const [type, shapeOf] of Object.entries(shapes)) {
    const get = once(() => z.strictObject({ type: z.literal(type), ...shapeOf(), ...assertionBase }));
    Object.defineProperty(built, type, { enumerable: true, get });
  }
  return built;
}

export function isBuiltInType(type: string): type is BuiltInAssertionType {
  return Object.hasOwn(ASSERTION_SCHEMAS, type);
}

/** An assertion of a type added with `registerEvaluator`. */
export interface RegisteredAssertion {
  type: string;
  id?: string | undefined;
  weight: number;
  required: boolean;
  [field: string]: unknown;
}

export type BuiltInAssertion = { [T in BuiltInAssertionType]: z.infer<AssertionSchemas[T]> }[BuiltInAssertionType];

/** What a scenario demands of a trace. The shorthand `{path, <operator>}` has been expanded to `jmespath`. */
export type Assertion = BuiltInAssertion | RegisteredAssertion;
