import type { Finding } from '../claims/finding.ts';
import type { FindingsFormat } from '../findings-format.ts';

/** Reads the reports of one scanner, or of one format that many scanners write. */
export interface Importer {
  format: Exclude<FindingsFormat, 'auto' | 'salvo'>;
  /** For messages: `Checkov's JSON report`. */
  name: string;
  /** Whether a JSON value is such a report, also an empty one. */
  recognises(report: unknown): boolean;
  /** What failed, never what passed or was skipped on purpose. May throw a JudgeError without a location. */
  findings(report: unknown): Finding[];
}
