import { isRecord } from 'salvo/kit/text';
import { z } from 'zod';
import { readFile, readLines, readText } from './claim-values.ts';
import { lineNumber, text } from './document-fields.ts';

const LOCATION_KINDS = ['resource', 'definition', 'related'] as const;

/**
 * A place where a correct report may point. `resource`: what is flawed. `definition`: what carries the flaw's value,
 * such as a variable, a local, a mapping, a line of a tfvars file or a module call. `related`: another resource that a
 * correct report may name, such as the policy document of a flawed role.
 */
export const flawLocationSchema = z.object({
  kind: z.enum(LOCATION_KINDS),
  /** As a scanner would write it: `aws_s3_bucket.a`, `var.x`, `local.x`, `module.x`, a logical name. */
  resource: text,
  file: text,
  line: lineNumber,
  end_line: lineNumber,
});

export type FlawLocation = z.infer<typeof flawLocationSchema>;

/** No flaw has more. What an outside manifest lists beyond is not read. */
const MOST_LOCATIONS = 100;
const NO_LOCATIONS: readonly FlawLocation[] = [];

/** The locations that a vulnerability lists. Entries that name neither a resource nor a file are left out. */
export function readLocations(value: unknown): readonly FlawLocation[] {
  if (!Array.isArray(value)) return NO_LOCATIONS;
  return value.slice(0, MOST_LOCATIONS).flatMap((item): FlawLocation[] => {
    if (!isRecord(item)) return [];
    const resource = readText(item.resource) || null;
    const { file, lines } = readFile(item.file);
    if (resource === null && file === null) return [];
    const line = readLines(item.line).line ?? lines.line;
    const end = readLines(item.end_line).line ?? lines.end_line;
    const kind = LOCATION_KINDS.find((each) => each === item.kind) ?? 'definition';
    return [{ kind, resource, file, line, end_line: line !== null && end !== null && end >= line ? end : line }];
  });
}
