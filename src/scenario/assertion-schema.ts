import { z } from 'zod';

/** What every assertion has, whatever its type. */
export const assertionBase = {
  /** A stable name for reports; the position in the file is used when it is missing. */
  id: z.string().min(1).optional(),
  weight: z.number().nonnegative().default(1),
  /** A required assertion that fails makes the trial a hard fail, whatever the score. */
  required: z.boolean().default(false),
};

export const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'regex', 'exists', 'not_exists'] as const;
export type Operator = (typeof OPERATORS)[number];

export const jmespathAssertionSchema = z.strictObject({
  type: z.literal('jmespath'),
  expression: z.string().min(1),
  operator: z.enum(OPERATORS),
  value: z.unknown().optional(),
  ...assertionBase,
});

/** Arguments a tool call must have: a subset to be equal, or a JMESPath expression over them that must be true. */
const argumentMatchSchema = z.union([z.record(z.string(), z.unknown()), z.string().min(1)]);

const countSchema = z.union([
  z.int().nonnegative(),
  z.strictObject({ min: z.int().nonnegative().optional(), max: z.int().nonnegative().optional() }),
]);

export const toolCalledAssertionSchema = z.strictObject({
  type: z.literal('tool_called'),
  tool: z.string().min(1),
  arguments: argumentMatchSchema.optional(),
  /** Exactly so often, or `{min, max}`. At least once when it is missing. */
  times: countSchema.optional(),
  ...assertionBase,
});

export const toolNotCalledAssertionSchema = z.strictObject({
  type: z.literal('tool_not_called'),
  tool: z.string().min(1),
  arguments: argumentMatchSchema.optional(),
  ...assertionBase,
});

export const toolSequenceAssertionSchema = z.strictObject({
  type: z.literal('tool_sequence'),
  sequence: z.array(z.string().min(1)).min(1),
  /** exact: these calls and no others; in_order: these in this order, others between; any_order: each at least as often. */
  mode: z.enum(['exact', 'in_order', 'any_order']).default('in_order'),
  ...assertionBase,
});

export const outputContainsAssertionSchema = z.strictObject({
  type: z.literal('output_contains'),
  value: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  case_sensitive: z.boolean().default(true),
  ...assertionBase,
});

export const outputMatchesAssertionSchema = z.strictObject({
  type: z.literal('output_matches'),
  pattern: z.string().min(1),
  ...assertionBase,
});

export const outputJsonAssertionSchema = z.strictObject({
  type: z.literal('output_json'),
  /** A JSON Schema the final answer must fit; any JSON will do when it is missing. */
  schema: z.union([z.record(z.string(), z.unknown()), z.boolean()]).optional(),
  ...assertionBase,
});

export const costLimitAssertionSchema = z.strictObject({
  type: z.literal('cost_limit'),
  max_usd: z.number().nonnegative(),
  ...assertionBase,
});

export const latencyLimitAssertionSchema = z.strictObject({
  type: z.literal('latency_limit'),
  max_seconds: z.number().nonnegative(),
  ...assertionBase,
});

export const customAssertionSchema = z.strictObject({
  type: z.literal('custom'),
  /** A TS or JS file, relative to the scenario. */
  module: z.string().min(1),
  /** The exported function; the default export when it is missing. */
  function: z.string().min(1).optional(),
  /** Handed to the function as it is. */
  options: z.record(z.string(), z.unknown()).optional(),
  ...assertionBase,
});

export const ASSERTION_SCHEMAS = {
  jmespath: jmespathAssertionSchema,
  tool_called: toolCalledAssertionSchema,
  tool_not_called: toolNotCalledAssertionSchema,
  tool_sequence: toolSequenceAssertionSchema,
  output_contains: outputContainsAssertionSchema,
  output_matches: outputMatchesAssertionSchema,
  output_json: outputJsonAssertionSchema,
  cost_limit: costLimitAssertionSchema,
  latency_limit: latencyLimitAssertionSchema,
  custom: customAssertionSchema,
} as const;

type AssertionSchemas = typeof ASSERTION_SCHEMAS;
export type BuiltInAssertionType = keyof AssertionSchemas;
export type AssertionOf<T extends BuiltInAssertionType> = z.infer<AssertionSchemas[T]>;

/** An assertion of a type added with `registerEvaluator`. */
export interface RegisteredAssertion {
  type: string;
  id?: string | undefined;
  weight: number;
  required: boolean;
  [field: string]: unknown;
}

export type BuiltInAssertion = { [T in BuiltInAssertionType]: AssertionOf<T> }[BuiltInAssertionType];

/** What a scenario demands of a trace. The shorthand `{path, <operator>}` has become a `jmespath` one by now. */
export type Assertion = BuiltInAssertion | RegisteredAssertion;
