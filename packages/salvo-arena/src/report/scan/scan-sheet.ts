import type { AtLeast } from 'salvo/kit/stats';
import type { NotCovered } from '../../blue/blue-team.ts';
import type { Finding } from '../../match/claims/finding.ts';
import { readSeverity, SEVERITIES, type Severity } from '../../match/claims/severity.ts';

/** From which severity on a finding fails a scan. */
export const FAIL_ON = ['none', ...SEVERITIES] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** What a Blue found in the code of a user. The document of `salvo scan --json`. */
export interface ScanSheet {
  blue: string;
  paths: string[];
  /** How many files were looked at. */
  files: number;
  fail_on: FailOn;
  /** `unscored`: nothing of the code could be looked at. `unreadable`: a file has errors, and is read in part. */
  status: 'passed' | 'failed' | 'unscored' | 'unreadable';
  /** Why nothing could be looked at. */
  message: string | null;
  severities: Record<Severity, number>;
  /** The worst first. Null when nothing could be looked at, which is not the same as no findings. */
  findings: Finding[] | null;
  /** How many findings a comment in the code asks to ignore. They are not among the others. */
  ignored: number;
  /** Null for a Blue that does not say what it cannot look at. */
  not_covered: NotCovered[] | null;
  /** Errors in files, of which only the readable parts were looked at. */
  problems: { file: string; line: number; column: number; message: string }[];
  /** Files that were not read. */
  skipped: { file: string; reason: string }[];
  cost_usd: number | null;
  /** What is known of the cost, if it is not known exactly. */
  cost_at_least?: AtLeast | undefined;
}

/** Scanners such as cfn-guard state no severity. */
export function severityOrMedium({ severity }: Pick<Finding, 'severity'>): Severity {
  return readSeverity(severity) ?? 'medium';
}

export function countSeverities(findings: readonly Finding[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { info: 0, low: 0, medium: 0, high: 0, critical: 0 };
  for (const finding of findings) counts[severityOrMedium(finding)] += 1;
  return counts;
}
