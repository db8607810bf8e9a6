import { z } from 'zod';

/** A value that only evaluation finds: a tool that does not evaluate cannot know whether it is safe. */
export const unresolvedValueSchema = z.object({
  /** The address of the resource that it is written in. */
  resource: z.string(),
  /** Its path there: `metadata_options.http_tokens`, `count`. */
  attribute: z.string(),
});

export type UnresolvedValue = z.infer<typeof unresolvedValueSchema>;

/** In words, for reports and pages. */
export function unresolvedWords({ resource, attribute }: UnresolvedValue): string {
  return `${attribute} of ${resource} is not known without evaluation, and safe with it`;
}
