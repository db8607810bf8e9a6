import type { z } from 'zod';

/** Zod compiles a schema for the first object that it checks. That takes as long as a few dozen checks without it. */
const CHECKS_BEFORE_COMPILING = 30;
const checks = new WeakMap<z.ZodType, number>();

/** `schema.safeParse(value)`, quick also for the first values: most commands check one document of a kind. */
export function checkWith<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  const before = checks.get(schema) ?? 0;
  checks.set(schema, before + 1);
  return schema.safeParse(value, { jitless: before < CHECKS_BEFORE_COMPILING });
}
