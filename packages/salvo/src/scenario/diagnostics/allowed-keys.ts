import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import type { Path } from './located-value.ts';
import { valueAt } from './problem.ts';

/** The keys that the schema allows in the map at `path`; empty when any key is allowed. */
export function allowedKeys(schema: z.core.$ZodType, value: unknown, path: Path): string[] {
  const [step, ...rest] = path;
  const inner = unwrap(schema, value);
  if (inner instanceof z.ZodObject) {
    if (step === undefined) return Object.keys(inner.shape);
    const field = inner.shape[step];
    return field ? allowedKeys(field, valueAt(value, [step]), rest) : [];
  }
  if (step === undefined) return [];
  if (inner instanceof z.ZodArray) return allowedKeys(inner.element, valueAt(value, [step]), rest);
  if (inner instanceof z.ZodRecord) return allowedKeys(inner.valueType, valueAt(value, [step]), rest);
  return [];
}

/** Unwraps optional, default and so on, and picks the option of a union that fits the value. */
function unwrap(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable
  ) {
    return unwrap(schema.def.innerType, value);
  }
  if (!(schema instanceof z.ZodUnion)) return schema;
  const options = schema.options.map((option) => unwrap(option, value));
  return options.find((option) => fits(option, value)) ?? schema;
}

function fits(schema: z.core.$ZodType, value: unknown): boolean {
  if (schema instanceof z.ZodArray) return Array.isArray(value);
  if (!isRecord(value)) return false;
  if (schema instanceof z.ZodRecord) return true;
  if (!(schema instanceof z.ZodObject)) return false;
  return Object.entries(schema.shape).every(
    ([key, field]) =>
      !(field instanceof z.ZodLiteral) || [...field.values].some((literal) => literal === valueAt(value, [key])),
  );
}
