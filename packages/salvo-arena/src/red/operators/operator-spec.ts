import { z } from 'zod';
import { isAttributePath } from '../../iac/read/attribute-path.ts';
import { statementChangeSchema, statementPatternSchema } from './statement-pattern.ts';
import { valueTestSchema } from './value-test.ts';

/** The kinds of credentials that are written into code. `any`: whichever is drawn. */
export const SECRET_KINDS = ['password', 'token', 'aws_secret_key', 'any'] as const;

const jsonSchema = z.json();
const pathSchema = z.string().refine(isAttributePath, 'not an attribute path');

/** An edit of the code. */
const changeSchema = z.union([
  z.strictObject({ path: pathSchema, set: jsonSchema }),
  /** With `if_written`, the edit is also possible where there is nothing to remove. */
  z.strictObject({ path: pathSchema, remove: z.literal(true), if_written: z.literal(true).optional() }),
  /** Replaces the attribute by another one. */
  z.strictObject({ path: pathSchema, name: z.string(), value: jsonSchema }),
  /** One more nested block of this name, or element of this list. */
  z.strictObject({ path: pathSchema, insert: z.record(z.string(), jsonSchema) }),
]);

export type Change = z.infer<typeof changeSchema>;

const weakOrFine = z.enum(['weak', 'fine']);

/** Holds when a value at the path passes the test; with `all`, when every value does. */
const conditionSchema = z.strictObject({ path: pathSchema, test: valueTestSchema, all: z.boolean().default(false) });

export type Condition = z.infer<typeof conditionSchema>;

const attributeFields = {
  /** What the edit writes into the code is a credential of this kind: an example, which games replace. */
  secret: z.enum(SECRET_KINDS).optional(),
  /** The path of the value that decides. */
  path: pathSchema,
  /** Other paths at which a weak value is the same flaw: an address range of IPv6 beside one of IPv4. */
  other_paths: z.array(pathSchema).default([]),
  /** What makes the value weak; empty when only its absence does. */
  weak: valueTestSchema.default({}),
  /** Whether no value is weak: what the provider or the service does by default. */
  absent: weakOrFine.default('fine'),
  /** Whether a missing block on the way is weak; the same as `absent` by default. */
  without: weakOrFine.optional(),
  /**
   * Other values in the same block that must pass a test for the value to be weak. With `or_absent`, an absent one
   * passes as well.
   */
  beside: z
    .array(z.strictObject({ name: z.string(), test: valueTestSchema, or_absent: z.boolean().default(false) }))
    .default([]),
  /** Resources that do not meet these conditions are ignored. */
  when: z.array(conditionSchema).default([]),
  /** The edit at the path: another value, or no value. */
  set: jsonSchema.optional(),
  remove: z.literal(true).optional(),
  /** Further edits, or other edits when there is none at the path. */
  also: z.array(changeSchema).default([]),
  /** The edit only makes sense if the attribute is written out. */
  written: z.boolean().default(false),
  /** Other ways to write the flaw that are as weak, and that scanners read less well; each is a list of edits. */
  unusual: z.array(z.array(changeSchema).min(1)).default([]),
  /** A value that is as weak as the removed attribute. */
  same_as: jsonSchema.optional(),
  /** The attribute that refers to the resource that this one belongs to. */
  owner: z.string().optional(),
};

const policyFields = {
  /** The path of the policy: `policy`, `Policies.PolicyDocument`. */
  path: pathSchema,
  /** The resource is weak when a statement is like this... */
  weak: statementPatternSchema.optional(),
  /** ...or when none is like this. */
  needs: statementPatternSchema.optional(),
  /** The statement to change. */
  pick: statementPatternSchema,
  /** Null removes the statement. */
  change: statementChangeSchema.nullable(),
  /** Other changes that are as weak, and that scanners read less well. */
  unusual: z.array(statementChangeSchema).default([]),
  owner: z.string().optional(),
};

const companionFields = {
  /** The type of the resource that has to be there. */
  needs: z.string(),
  /** The attribute in it that refers to the resource it belongs to. */
  link: z.string(),
  /** Resources that do not meet these conditions are ignored. */
  when: z.array(conditionSchema).default([]),
};

const types = z.array(z.string()).min(1);
const head = {
  id: z.string(),
  weakness: z.string(),
  /** One sentence; `{address}` is the resource. */
  says: z.string(),
  /**
   * Who calls it a flaw: sections of the CIS AWS Foundations Benchmark 3.0 (`CIS 2.1.4`), controls of Security Hub
   * (`SecurityHub S3.8`), and rules of scanners by their ids.
   */
  called_by: z.array(z.string()).min(1),
  implies: z.array(z.string()).default([]),
  /** Scanners list it, but it has no effect on security: such flaws are planted only if asked for. */
  housekeeping: z.literal(true).optional(),
  language: z.enum(['terraform', 'cloudformation']),
  types,
};

export const operatorSpecSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('attribute'), ...head, ...attributeFields }),
  z.strictObject({ kind: z.literal('policy'), ...head, ...policyFields }),
  z.strictObject({ kind: z.literal('companion'), ...head, ...companionFields }),
]);

/** One operator in one language. */
export type OperatorSpec = z.infer<typeof operatorSpecSchema>;
export type AttributeSpec = Extract<OperatorSpec, { kind: 'attribute' }>;
export type PolicySpec = Extract<OperatorSpec, { kind: 'policy' }>;
export type CompanionSpec = Extract<OperatorSpec, { kind: 'companion' }>;

/** All edits of an operator, the one at its path first. */
export function changesOf({ path, set, remove, also }: AttributeSpec): Change[] {
  return [...(set === undefined ? [] : [{ path, set }]), ...(remove ? [{ path, remove }] : []), ...also];
}
