import type { Finding } from '../claims/finding.ts';

/** The formats that findings can be read from; `auto` detects which one it is. */
export const FINDINGS_FORMATS = [
  'auto',
  'salvo',
  'sarif',
  'checkov',
  'trivy',
  'kics',
  'tfsec',
  'semgrep',
  'cfn-guard',
  'terrascan',
  'snyk',
  'cdk-nag',
] as const;

export type FindingsFormat = (typeof FINDINGS_FORMATS)[number];

/** A check that the scanner says it could not do: neither a finding nor a sign that the resource is sound. */
export interface NotJudged {
  rule_id: string;
  resource: string | null;
}

/** Reads the reports of one scanner, or of one format that many scanners write. */
export interface Importer {
  format: Exclude<FindingsFormat, 'auto' | 'salvo'>;
  /** For messages: `Checkov's JSON report`. */
  name: string;
  /** Whether a JSON value is such a report. An empty report counts. */
  recognises(report: unknown): boolean;
  /** What failed, never what passed or was skipped on purpose. May throw a JudgeError without a location. */
  findings(report: unknown): Finding[];
  /** What the scanner says it could not judge. */
  notJudged?(report: unknown): NotJudged[];
  /** Whether the scanner says that it looked at nothing, which is not the same as having found nothing. */
  hasSeenNothing?(report: unknown): boolean;
}
