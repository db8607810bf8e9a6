import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import {
  ANYTHING,
  BOOLEAN,
  listOf,
  MISSING,
  mapOf,
  NUMBER,
  orMissing,
  TEXT,
  textOf,
  typeOfValue,
  unionOf,
  type ValueType,
} from './value-type.ts';

/** The type of the values that a zod schema returns. A schema of a kind that is not known here gives any value. */
export function typeOfSchema(schema: z.core.$ZodType): ValueType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return orMissing(typeOfSchema(schema.def.innerType));
  }
  if (schema instanceof z.ZodDefault) return typeOfSchema(schema.def.innerType);
  if (schema instanceof z.ZodLazy) return typeOfSchema(schema._zod.innerType);
  if (schema instanceof z.ZodObject) {
    return mapOf(Object.entries(schema.shape).map(([name, field]) => [name, typeOfSchema(field)]));
  }
  if (schema instanceof z.ZodArray) return listOf(typeOfSchema(schema.element));
  if (schema instanceof z.ZodRecord) return mapOf([], typeOfSchema(schema.valueType));
  if (schema instanceof z.ZodUnion) return unionOf(schema.options.map(typeOfSchema));
  if (schema instanceof z.ZodLiteral) return unionOf([...schema.values].map((value) => typeOfValue(value)));
  if (schema instanceof z.ZodEnum) return textOf(schema.options.map(String));
  if (schema instanceof z.ZodString) return TEXT;
  if (schema instanceof z.ZodNumber) return NUMBER;
  if (schema instanceof z.ZodBoolean) return BOOLEAN;
  if (schema instanceof z.ZodNull) return MISSING;
  return ANYTHING;
}

/**
 * The type of the arguments of a tool: the names that its JSON Schema declares, at all levels. Values can be anything,
 * because a model can send arguments that violate the schema.
 */
export function typeOfArguments(parameters: unknown): ValueType {
  const names = declaredProperties(parameters);
  if (!names) return ANYTHING;
  return mapOf(Object.entries(names).map(([name, property]) => [name, orMissing(typeOfArguments(property))]));
}

/** The properties of a JSON Schema; undefined when their list is not complete or the value need not be an object. */
export function declaredProperties(schema: unknown): Record<string, unknown> | undefined {
  if (!isRecord(schema) || !isRecord(schema.properties)) return undefined;
  const { properties, additionalProperties } = schema;
  if (additionalProperties === true || isRecord(additionalProperties)) return undefined;
  const elsewhere = ['patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'];
  return elsewhere.some((key) => Object.hasOwn(schema, key)) ? undefined : properties;
}
