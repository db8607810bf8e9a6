import { z } from 'zod';
import { statementChangeSchema, statementPatternSchema } from './statement-pattern.ts';
import { valueTestSchema } from './value-test.ts';

const jsonSchema = z.json();

/** An edit of what is written. */
const changeSchema = z.union([
  z.strictObject({ path: z.string(), set: jsonSchema }),
  z.strictObject({ path: z.string(), remove: z.literal(true) }),
  /** Another attribute in the place of this one. */
  z.strictObject({ path: z.string(), name: z.string(), value: jsonSchema }),
  /** One more nested block of this name, or element of this list. */
  z.strictObject({ path: z.string(), insert: z.record(z.string(), jsonSchema) }),
]);

export type Change = z.infer<typeof changeSchema>;

const weakOrFine = z.enum(['weak', 'fine']);

/** Holds when a value at the path passes the test; with `all`, when every value does. */
const conditionSchema = z.strictObject({ path: z.string(), test: valueTestSchema, all: z.boolean().default(false) });

export type Condition = z.infer<typeof conditionSchema>;

const attributeFields = {
  /** Of the value that decides. */
  path: z.string(),
  /** What makes the value weak; absent when only its absence does. */
  weak: valueTestSchema.default({}),
  /** What no value means: what the provider or the service does by default. */
  absent: weakOrFine.default('fine'),
  /** What it means that a block on the way is missing; the same as `absent` when not given. */
  without: weakOrFine.optional(),
  /** What must hold as well of values beside the one that decides; `or_absent` when no value will do, too. */
  beside: z
    .array(z.strictObject({ name: z.string(), test: valueTestSchema, or_absent: z.boolean().default(false) }))
    .default([]),
  /** Only resources with such a value are looked at. */
  when: z.array(conditionSchema).default([]),
  /** The edit at the path: another value, or none. */
  set: jsonSchema.optional(),
  remove: z.literal(true).optional(),
  /** What is edited besides, or instead. */
  also: z.array(changeSchema).default([]),
  /** The attribute has to be written out for the edit to make sense. */
  written: z.boolean().default(false),
  /** A value that is as weak as what the edit removes. */
  same_as: jsonSchema.optional(),
  /** The attribute that refers to the resource that this one is about. */
  owner: z.string().optional(),
};

const policyFields = {
  /** Of the policy: `policy`, `Policies.PolicyDocument`. */
  path: z.string(),
  /** The resource is weak when a statement is like this... */
  weak: statementPatternSchema.optional(),
  /** ...or when none is like this. */
  needs: statementPatternSchema.optional(),
  /** The statement to change. */
  pick: statementPatternSchema,
  /** Null takes the statement out. */
  change: statementChangeSchema.nullable(),
  owner: z.string().optional(),
};

const companionFields = {
  /** The type of the resource that has to be there. */
  needs: z.string(),
  /** The attribute in it that refers to the resource it is for. */
  link: z.string(),
  /** Only resources with such a value are looked at. */
  when: z.array(conditionSchema).default([]),
};

const types = z.array(z.string()).min(1);
const head = {
  id: z.string(),
  weakness: z.string(),
  /** One sentence; `{address}` is the resource. */
  says: z.string(),
  implies: z.array(z.string()).default([]),
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
