import { atLeastSchema } from 'salvo/kit/trace';
import { z } from 'zod';
import { notCoveredSchema } from '../../blue/blue-team.ts';
import { type Finding, findingSchema } from '../../match/claims/finding.ts';
import { FAIL_ON, SEVERITIES, type Severity } from '../../match/claims/severity.ts';
import { STANDARDS } from '../../tasks/game-settings.ts';
import { severityOrMedium } from '../sarif-parts.ts';

/** What a Blue found in the code of a user. The document of `salvo scan --json`. */
export const scanSheetSchema = z.object({
  blue: z.string(),
  paths: z.array(z.string()),
  /** How many files were looked at. */
  files: z.int(),
  fail_on: z.enum(FAIL_ON),
  /**
   * `failed`: a finding is severe enough, whatever could not be read. `unreadable`: none is, but a part of the code
   * could not be read. `unscored`: nothing could be looked at.
   */
  status: z.enum(['passed', 'failed', 'unscored', 'unreadable']),
  /** Why nothing could be looked at. */
  message: z.string().nullable(),
  severities: z.record(z.enum(SEVERITIES), z.int()),
  /** The worst first. Null when nothing could be looked at, which is not the same as no findings. */
  findings: z.array(findingSchema).nullable(),
  /** How many findings are in the file of known ones, and how many entries of it are not found any more. */
  known: z.int().optional(),
  gone: z.int().optional(),
  /** Only weaknesses of these standards are listed; how many others were found. */
  standards: z.array(z.enum(STANDARDS)).optional(),
  other_findings: z.int().optional(),
  /** How many findings a comment in the code asks to ignore. They are not among the others. */
  ignored: z.int(),
  /** Null for a Blue that does not say what it cannot look at. */
  not_covered: z.array(notCoveredSchema).nullable(),
  /** Errors in files, of which only the readable parts were looked at. */
  problems: z.array(z.object({ file: z.string(), line: z.int(), column: z.int(), message: z.string() })),
  /** Files that were not read. */
  skipped: z.array(z.object({ file: z.string(), reason: z.string() })),
  cost_usd: z.number().nullable(),
  /** What is known of the cost, if it is not known exactly. */
  cost_at_least: atLeastSchema.optional(),
});

export type ScanSheet = z.infer<typeof scanSheetSchema>;

export function countSeverities(findings: readonly Finding[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { info: 0, low: 0, medium: 0, high: 0, critical: 0 };
  for (const finding of findings) counts[severityOrMedium(finding)] += 1;
  return counts;
}
