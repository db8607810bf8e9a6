import { z } from 'zod';
import { processWideMap } from '../../text/process-wide.ts';
import { ASSERTION_SCHEMAS, assertionBase, isBuiltInType, passAtField } from './assertion-schema.ts';

const registered = processWideMap<z.ZodType>('assertion-types');

/** Makes an assertion type known to scenarios. Without a schema, any fields are allowed. */
export function registerAssertionType(type: string, schema?: z.ZodType): void {
  // So that a schema need not repeat the fields that every assertion has.
  if (schema instanceof z.ZodObject) {
    registered.set(type, schema.safeExtend({ type: z.literal(type), ...passAtField, ...assertionBase }));
  } else if (schema) registered.set(type, schema);
  else if (!assertionTypeSchema(type))
    registered.set(type, z.looseObject({ type: z.literal(type), ...passAtField, ...assertionBase }));
}

export function assertionTypeSchema(type: string): z.ZodType | undefined {
  return registered.get(type) ?? (isBuiltInType(type) ? ASSERTION_SCHEMAS[type] : undefined);
}

/** Every type of assertion, built in or registered, with its schema. */
export function allAssertionTypes(): Map<string, z.ZodType> {
  return new Map<string, z.ZodType>([...Object.entries(ASSERTION_SCHEMAS), ...registered]);
}

/** An assertion that is a function, as the document of a scenario in code has it. Scenario files cannot use it. */
export const functionAssertionSchema = z.strictObject({
  type: z.literal('function'),
  /** A hash of its source text. */
  function: z.string(),
  ...passAtField,
  ...assertionBase,
});

/** The fields that all assertions have. The schema of a registered type may not set the defaults. */
export const anyAssertionSchema = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  weight: z.number().default(1),
  required: z.boolean().default(false),
});
