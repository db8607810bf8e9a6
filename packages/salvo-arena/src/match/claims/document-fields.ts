import { z } from 'zod';

/** Fields of manifests and findings. People leave them out, or write null. */
export const text = z.string().nullable().optional();

/** One, several, or none: all three occur. */
export const textOrList = z
  .union([z.string(), z.array(z.string())])
  .nullable()
  .optional();

export const lineNumber = z.int().positive().nullable().optional();
