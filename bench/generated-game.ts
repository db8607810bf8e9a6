import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';

interface Flaw {
  type: string;
  severity: string;
  resource: string;
  /** How a Red Team puts it, and how others do. */
  texts: string[];
}

const FLAWS: Flaw[] = [
  flaw('encryption', 'high', 'aws_s3_bucket', 'Objects in the bucket are stored without encryption at rest', [
    'Server-side encryption is not configured for the S3 bucket',
    'Bucket data is left unencrypted because no KMS key is set',
  ]),
  flaw('encryption', 'high', 'aws_db_instance', 'The database volume is not encrypted', [
    'RDS storage encryption is disabled',
    'storage_encrypted is false, so snapshots can be read by anyone who copies them',
  ]),
  flaw('encryption', 'medium', 'aws_lb_listener', 'The listener accepts plain HTTP', [
    'Load balancer traffic is not protected by TLS',
    'Use HTTPS with a modern TLS policy on this listener',
  ]),
  flaw('access_control', 'critical', 'aws_s3_bucket', 'The bucket can be read by the whole internet', [
    'Public read ACL on an S3 bucket',
    'Block public access is not enabled for the bucket',
  ]),
  flaw('access_control', 'high', 'aws_db_instance', 'The database has a public address', [
    'RDS instance is publicly accessible',
    'publicly_accessible should be false for a production database',
  ]),
  flaw('iam', 'critical', 'aws_iam_policy', 'The policy allows every action on every resource', [
    'IAM policy grants full administrative privileges with wildcards',
    'Action and Resource are both set to a star in this policy document',
  ]),
  flaw('iam', 'high', 'aws_iam_role', 'Any account may assume the role', [
    'Trust policy of the role has a wildcard principal',
    'The role can be assumed by everyone, add a condition or name the principal',
  ]),
  flaw('network', 'critical', 'aws_security_group', 'SSH is open to the world', [
    'Security group allows ingress from 0.0.0.0/0 to port 22',
    'Unrestricted inbound access to a management port',
  ]),
  flaw('network', 'low', 'aws_security_group', 'Traffic may leave to anywhere', [
    'Egress to 0.0.0.0/0 is not restricted',
    'Outbound rule with an open CIDR block on all ports',
  ]),
  flaw('logging', 'medium', 'aws_cloudtrail', 'The trail covers one region only', [
    'CloudTrail is not enabled in all regions',
    'Multi-region audit logging is switched off',
  ]),
  flaw('logging', 'low', 'aws_s3_bucket', 'Nobody records who reads the bucket', [
    'S3 access logging is missing',
    'Enable server access logging for audit purposes',
  ]),
  flaw('logging', 'medium', 'aws_lb', 'Requests are not logged', [
    'Load balancer access logs are disabled',
    'Monitoring gap: no access logs bucket is configured',
  ]),
];
const PLACES = [
  'in the production account',
  'of the billing service',
  'for customer uploads',
  'in the shared module',
  '',
];
const SEVERITIES = ['low', 'medium', 'high', 'critical'];

export interface GeneratedGame {
  manifest: { vulnerabilities: Record<string, unknown>[] };
  findings: Record<string, unknown>[];
}

/** A Red Team's manifest and what a Blue Team makes of it: two thirds found, in other words, and many false alarms. */
export function generatedGame(options: { vulnerabilities: number; findings: number; seed: number }): GeneratedGame {
  const random = seededRandom('game', options.seed);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  };
  const names = Math.ceil(options.vulnerabilities / 3);
  const claim = (of: Flaw, resource: string, text: string): Record<string, unknown> => ({
    type: of.type,
    resource,
    severity: random() < 0.8 ? of.severity : pick(SEVERITIES),
    description: `${text} ${pick(PLACES)}`,
  });
  const address = (of: Flaw): string => `${of.resource}.service_${Math.floor(random() * names)}`;
  const hidden = Array.from({ length: options.vulnerabilities }, () => {
    const of = pick(FLAWS);
    return { of, resource: address(of) };
  });
  const vulnerabilities = hidden.map(({ of, resource }, index) => ({
    id: `v${index + 1}`,
    ...claim(of, resource, of.texts[0] ?? ''),
  }));
  const findings = Array.from({ length: options.findings }, () => {
    const found = random() < 2 / 3 ? pick(hidden) : undefined;
    const of = found?.of ?? pick(FLAWS);
    return claim(of, found?.resource ?? address(of), pick(of.texts.slice(1)));
  });
  return { manifest: { vulnerabilities }, findings };
}

function flaw(type: string, severity: string, resource: string, text: string, others: string[]): Flaw {
  return { type, severity, resource, texts: [text, ...others] };
}
