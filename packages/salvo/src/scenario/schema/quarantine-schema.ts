import { z } from 'zod';
import { aValue } from '../../text/words/value-words.ts';

/** Of a scenario; a row of data can also have both in one text. */
export const quarantineSchema = z.strictObject({
  // Not `z.iso.date()` itself, which is no ZodString: it would be stored as a value of any content.
  until: z
    .string()
    .refine((text) => z.iso.date().safeParse(text).success, {
      error: ({ input }) => `${aValue(input)} is not a date: write it as 2026-12-31`,
    })
    .describe('The last day of the quarantine, in UTC: 2026-12-31.'),
  reason: z.string().trim().min(1).describe('Why it may fail for now.'),
});

export type Quarantine = z.infer<typeof quarantineSchema>;

/** The quarantine of a row: a map as in a scenario, or a text with the date and the reason. Null if it is neither. */
export function readQuarantine(value: unknown): Quarantine | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') return quarantineSchema.safeParse(value).data ?? null;
  const text = value.trim();
  const until = text.slice(0, 10);
  const reason = text.slice(10).replace(/^:?\s+/, '');
  const isSeparated = /^(:\s|\s)/.test(text.slice(10, 12));
  return isSeparated ? (quarantineSchema.safeParse({ until, reason }).data ?? null) : null;
}

/** Whether the last day of a quarantine, in UTC, is not over at this time. */
export function isInQuarantine({ until }: Quarantine, at: string): boolean {
  return new Date(at).toISOString().slice(0, 10) <= until;
}
