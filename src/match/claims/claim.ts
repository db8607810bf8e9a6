import type { Severity } from './severity.ts';

/**
 * What one side claims, a vulnerability or a finding, in the shape that matchers compare: aliases resolved, lists
 * made of lists and single values alike, and what is missing empty.
 */
export interface Claim {
  /** As written; empty when there is none. */
  type: string;
  /** As written. A claim may be about several resources, or name none. */
  resources: readonly string[];
  severity: Severity | null;
  title: string;
  description: string;
  /** What the claim quotes of the code. */
  evidence: string;
  /** Of a resource, such as `encrypted` or `ingress.cidr_blocks`. */
  attributes: readonly string[];
  /** With forward slashes and without a leading `./`. */
  file: string | null;
  line: number | null;
  end_line: number | null;
  /** Of any scanner: `CKV_AWS_19`, `AVD-AWS-0088`, a KICS uuid, `aws-s3-enable-bucket-encryption`, `CWE-311`. */
  rule_ids: readonly string[];
}
