import { z } from 'zod';
import { isAttributePath } from '../../iac/read/attribute-path.ts';
import { CUSTOM_CHECKS } from './custom-checks.ts';

const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);
const valuesSchema = z.array(scalarSchema).min(1);
/** Whether a missing value is good. Every kind of check has its own default. */
const missingSchema = z.enum(['good', 'bad']).optional();
/** In the language of `attribute-path.ts`: `ebs_block_device?.encrypted`, `parameter[name=tls].value`. */
const pathSchema = z.string().refine(isAttributePath, 'not an attribute path');
const patternSchema = z.string().transform((text) => new RegExp(text, 'i'));

const simpleCheckSchema = z.union([
  z.strictObject({ at: pathSchema, equals: valuesSchema, missing: missingSchema }),
  z.strictObject({ at: pathSchema, not: valuesSchema, missing: missingSchema }),
  z.strictObject({ at: pathSchema, present: z.boolean() }),
  z.strictObject({ at: pathSchema, min: z.number(), missing: missingSchema }),
  z.strictObject({ at: pathSchema, max: z.number(), missing: missingSchema }),
  /** The list has all of these. */
  z.strictObject({ at: pathSchema, includes: valuesSchema, missing: missingSchema }),
  /** The list has none of these. */
  z.strictObject({ at: pathSchema, excludes: valuesSchema, missing: missingSchema }),
  z.strictObject({ at: pathSchema, matches: patternSchema, missing: missingSchema }),
  z.strictObject({ at: pathSchema, not_matches: patternSchema, missing: missingSchema }),
  /** No text or number of the list matches. A reference matches by its own text: `${aws_iam_role.admin.arn}`. */
  z.strictObject({ at: pathSchema, none_match: patternSchema }),
  z.strictObject({ custom: z.enum(Object.keys(CUSTOM_CHECKS)), at: pathSchema.optional(), of: z.string().optional() }),
  /** The block itself is the flaw. */
  z.strictObject({ never: z.literal(true) }),
]);

export type SimpleCheck = z.infer<typeof simpleCheckSchema>;

/** Another resource refers to this one, or has the value of this one's attribute `name`, and passes a check. */
export interface CompanionCheck {
  companion: string[];
  link: string;
  name?: string | undefined;
  /** A path of this resource and one of the other. If both values are known and differ, the other one is not meant. */
  same?: [string, string] | undefined;
  /** What the other resource must pass; nothing by default. */
  passes?: Check | undefined;
  /** How many such resources are good; then there may also be none. */
  at_most?: number | undefined;
  /** Whether it is good if there is no other resource; bad by default. */
  missing?: 'good' | undefined;
  /** `missing`: a resource that refers to something unknown does not mean this one. By default it may. */
  unknown?: 'missing' | undefined;
}

/** The resources that an attribute of this one names pass a check: the parameter group of a database. */
export interface ReferenceCheck {
  refers_to: string[];
  link: string;
  /** The attribute of the others that can be written in place of a reference. */
  name?: string | undefined;
  passes: Check;
  /** Whether it is bad if this one names nothing; good by default. */
  missing?: 'bad' | undefined;
  /** Whether it is good if this one names something that is not in the code; not known by default. */
  unknown?: 'good' | undefined;
}

/**
 * The code has a resource of one of these types that passes a check. If the block is of such a type itself, the flaw is
 * reported once, at the first of them: a set of Config rules that lacks one.
 */
export interface ExistenceCheck {
  exists: string[];
  /** Any such resource will do by default. */
  passes?: Check | undefined;
}

/** What must hold for a block to be good. With `if`, only blocks that pass that check have to pass `must`. */
export type Check =
  | SimpleCheck
  | CompanionCheck
  | ReferenceCheck
  | ExistenceCheck
  | { any: Check[] }
  | { all: Check[] }
  | { if: Check; must: Check };

export const checkSchema: z.ZodType<Check> = z.lazy(() =>
  z.union([
    simpleCheckSchema,
    z.strictObject({
      companion: z.array(z.string()).min(1),
      link: pathSchema,
      name: z.string().optional(),
      same: z.tuple([pathSchema, pathSchema]).optional(),
      passes: checkSchema.optional(),
      at_most: z.int().positive().optional(),
      missing: z.literal('good').optional(),
      unknown: z.literal('missing').optional(),
    }),
    z.strictObject({
      refers_to: z.array(z.string()).min(1),
      link: pathSchema,
      name: z.string().optional(),
      passes: checkSchema,
      missing: z.literal('bad').optional(),
      unknown: z.literal('good').optional(),
    }),
    z.strictObject({ exists: z.array(z.string()).min(1), passes: checkSchema.optional() }),
    z.strictObject({ any: z.array(checkSchema).min(1) }),
    z.strictObject({ all: z.array(checkSchema).min(1) }),
    z.strictObject({ if: checkSchema, must: checkSchema }),
  ]),
);
