import { z } from 'zod';
import { ASSERTION_SCHEMAS, assertionBase } from './assertion-schema.ts';

const registered = new Map<string, z.ZodType>();

/** Makes a type of assertion known to scenarios. Without a schema of its own it may have any fields. */
export function registerAssertionType(type: string, schema?: z.ZodType): void {
  // What every assertion has is not for everyone to repeat.
  if (schema instanceof z.ZodObject) {
    registered.set(type, schema.safeExtend({ type: z.literal(type), ...assertionBase }));
  } else if (schema) registered.set(type, schema);
  else if (!assertionTypeSchema(type)) registered.set(type, z.looseObject({ type: z.literal(type), ...assertionBase }));
}

export function assertionTypeSchema(type: string): z.ZodType | undefined {
  return allAssertionTypes().get(type);
}

/** Every type of assertion, built in or registered, with its schema. */
export function allAssertionTypes(): Map<string, z.ZodType> {
  return new Map<string, z.ZodType>([...Object.entries(ASSERTION_SCHEMAS), ...registered]);
}
