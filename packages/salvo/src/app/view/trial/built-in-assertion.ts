import {
  ASSERTION_SCHEMAS,
  type Assertion,
  type BuiltInAssertion,
  isBuiltInType,
} from '../../../scenario/schema/assertion-schema.ts';

/** An assertion of a type that comes with Salvo; null for one of a plugin. */
export function builtInAssertion(assertion: Assertion): BuiltInAssertion | null {
  if (!isBuiltInType(assertion.type)) return null;
  const read = ASSERTION_SCHEMAS[assertion.type].safeParse(assertion);
  return read.success ? read.data : null;
}
