import type { Finding } from '../../match/claims/finding.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';

/** The fields of a vulnerability or a finding that a line about one shows. */
type Claim = Pick<Finding, 'type' | 'resource' | 'severity' | 'title' | 'description' | 'file' | 'line'>;

/** `high encryption on aws_s3_bucket.data: the bucket is not encrypted` */
export function claimLine(claim: Claim | undefined): string {
  if (!claim) return '';
  const resource = resourceNames(claim);
  const head = [claim.severity, claim.type, resource === '' ? '' : `on ${resource}`].filter(Boolean).join(' ');
  const text = claim.title || claim.description || '';
  return [head, text].filter(Boolean).join(': ') || '(nothing stated)';
}

/** `main.tf:12`, or nothing. */
export function findingPlace(claim: Pick<Claim, 'file' | 'line'> | undefined): string {
  if (!claim?.file) return '';
  return claim.line ? `${claim.file}:${claim.line}` : claim.file;
}

/** `aws_s3_bucket.data, aws_s3_bucket.logs` */
export function resourceNames({ resource }: Pick<Claim, 'resource'>): string {
  return typeof resource === 'string' ? resource : (resource ?? []).join(', ');
}

/** `main.tf:12 aws_iam_role.a can be assumed by aws_iam_role.b`: the facts that are a flaw together. */
export function factLines({ facts }: Pick<Vulnerability, 'facts'>): string[] {
  return (facts ?? []).map(({ file, line, resource, says }) =>
    [findingPlace({ file, line }), resource, says].filter(Boolean).join(' '),
  );
}
