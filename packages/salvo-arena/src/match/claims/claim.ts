import type { FlawLocation } from './flaw-location.ts';
import type { Severity } from './severity.ts';

/**
 * What a vulnerability or a finding claims, in the shape that matchers compare: aliases are resolved, single values are
 * lists where several are possible, and missing fields are empty.
 */
export interface Claim {
  /** As written; empty when there is none. */
  type: string;
  /** As written. A claim may be about several resources, or name none. */
  resources: readonly string[];
  severity: Severity | null;
  title: string;
  description: string;
  /** Code that the claim quotes. */
  evidence: string;
  /** Of a resource, such as `encrypted` or `ingress.cidr_blocks`. */
  attributes: readonly string[];
  /** With forward slashes and without a leading `./`. */
  file: string | null;
  line: number | null;
  end_line: number | null;
  /** Of any scanner: `CKV_AWS_19`, `AVD-AWS-0088`, a KICS uuid, `aws-s3-enable-bucket-encryption`, `CWE-311`. */
  rule_ids: readonly string[];
  /** Further places of a vulnerability. Empty for a finding, which could otherwise claim to be everywhere. */
  locations: readonly FlawLocation[];
}
