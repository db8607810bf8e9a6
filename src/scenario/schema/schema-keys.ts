import { z } from 'zod';
import { isRecord } from '../../text/is-record.ts';
import type { Path } from '../yaml/located-value.ts';

/** The keys a map at `path` may have, according to the schema; empty when any will do. */
export function allowedKeys(schema: z.core.$ZodType, value: unknown, path: Path): string[] {
  const [step, ...rest] = path;
  const inner = unwrap(schema, value);
  if (inner instanceof z.ZodObject) {
    if (step === undefined) return Object.keys(inner.shape);
    const field = inner.shape[step];
    return field ? allowedKeys(field, child(value, step), rest) : [];
  }
  if (step === undefined) return [];
  if (inner instanceof z.ZodArray) return allowedKeys(inner.element, child(value, step), rest);
  if (inner instanceof z.ZodRecord) return allowedKeys(inner.valueType, child(value, step), rest);
  return [];
}

/** Looks through optional, default and the like, and picks the option of a union that the value is meant to be. */
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
      !(field instanceof z.ZodLiteral) || [...field.values].some((literal) => literal === child(value, key)),
  );
}

function child(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? Reflect.get(value, step)
    : undefined;
}
