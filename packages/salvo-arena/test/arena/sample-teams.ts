import type { BlueTeam } from '../../src/blue/blue-team.ts';
import type { Finding } from '../../src/match/claims/finding.ts';
import type { Vulnerability } from '../../src/match/claims/vulnerability.ts';
import type { RedMetadata, RedTeam } from '../../src/red/red-team.ts';

export const CODE = {
  'main.tf': [
    'resource "aws_s3_bucket" "data" {',
    '  bucket = "data"',
    '}',
    'resource "aws_db_instance" "main" {',
    '  storage_encrypted = false',
    '}',
    'resource "aws_sqs_queue" "jobs" {',
    '  sqs_managed_sse_enabled = true',
    '}',
    '',
  ].join('\n'),
};

export const UNENCRYPTED: Vulnerability = {
  id: 'v1',
  type: 'encryption',
  resource: 'aws_db_instance.main',
  severity: 'high',
  description: 'The storage of the database is not encrypted.',
  technique: 'plain',
  evidence: 'storage_encrypted = false',
  file: 'main.tf',
  line: 5,
  attribute: 'storage_encrypted',
};
export const UNVERSIONED: Vulnerability = {
  id: 'v2',
  type: 'versioning',
  resource: 'aws_s3_bucket.data',
  severity: 'medium',
  description: 'Objects of the bucket have no versions.',
  file: 'main.tf',
  line: 1,
};
export const FOUND: Finding = {
  type: 'encryption',
  resource: 'aws_db_instance.main',
  severity: 'high',
  title: 'Storage is not encrypted',
  file: 'main.tf',
  line: 5,
};
export const FALSE_ALARM: Finding = {
  type: 'encryption',
  resource: 'aws_sqs_queue.jobs',
  severity: 'low',
  title: 'The queue is not encrypted',
  file: 'main.tf',
  line: 7,
};

/** A Red that hides what a test says. */
export function sampleRed(
  vulnerabilities: Vulnerability[] = [UNENCRYPTED, UNVERSIONED],
  metadata: Partial<RedMetadata> = {},
  files: Record<string, string> = CODE,
): RedTeam {
  return {
    name: 'sample',
    generate: async ({ seed, strategy, difficulty, language, provider }) => ({
      files,
      vulnerabilities,
      metadata: {
        red: 'sample',
        seed,
        strategy,
        difficulty,
        language,
        provider,
        template: 'orders',
        twin: null,
        clean_resources: ['aws_sqs_queue.jobs', 'aws_kms_key.main'],
        present_before: [],
        proven: true,
        model_calls: 0,
        input_tokens: 0,
        output_tokens: 0,
        cost_usd: 0,
        ...metadata,
      },
    }),
  };
}

/** A Blue that reports what a test says. */
export function sampleBlue(findings: Finding[] = [FOUND, FALSE_ALARM]): BlueTeam {
  return {
    name: 'watchful',
    analyze: async () => ({
      findings,
      metadata: {
        blue: 'watchful',
        mode: 'tools_only',
        dropped: [],
        model_calls: 0,
        input_tokens: 0,
        output_tokens: 0,
        cost_usd: null,
      },
    }),
  };
}
