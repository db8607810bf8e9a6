import type { z } from 'zod';

/**
 * Whether a stored value is what the schema describes. The value itself is used then, not zod's copy of it, which
 * would be without keys such as `__proto__` that an agent wrote and a stored trace keeps.
 */
export function conforms<T>(schema: z.ZodType<T>, value: unknown): value is T {
  return schema.safeParse(value).success;
}
