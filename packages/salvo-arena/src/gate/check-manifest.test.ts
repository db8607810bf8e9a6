import { describe, expect, it } from 'vitest';
import { LIES, TRUTHS } from '../../test/arena-red-llm/gate-claims.ts';
import { GATE_PROJECT } from '../../test/arena-red-llm/gate-project.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import { checkManifest } from './check-manifest.ts';

async function gate(vulnerabilities: Omit<Vulnerability, 'id'>[], files = GATE_PROJECT) {
  const numbered = vulnerabilities.map((vulnerability, index) => ({ id: `v${index + 1}`, ...vulnerability }));
  return checkManifest({ files, vulnerabilities: numbered });
}

describe('twenty lies and twenty truths', () => {
  it.each(LIES.map((lie) => [`${[lie.resource].flat()[0]}: ${lie.description}`, lie] as const))(
    'rejects: %s',
    async (_, lie) => {
      const { entries } = await gate([lie]);
      expect(entries[0], JSON.stringify(entries[0]?.checks, null, 1)).toMatchObject({ status: 'phantom' });
    },
  );

  it.each(TRUTHS.map((truth) => [`${[truth.resource].flat()[0]}: ${truth.description}`, truth] as const))(
    'accepts: %s',
    async (_, truth) => {
      const { entries } = await gate([truth]);
      expect(entries[0], JSON.stringify(entries[0]?.checks, null, 1)).toMatchObject({ status: 'confirmed' });
    },
  );

  it('gives the share of confirmed entries', async () => {
    expect(LIES).toHaveLength(20);
    expect(TRUTHS).toHaveLength(20);
    expect((await gate([...LIES, ...TRUTHS])).manifest_accuracy).toBe(0.5);
  });
});

describe('an entry', () => {
  const failures = async (entry: Omit<Vulnerability, 'id'>, files?: Record<string, string>) => {
    const { entries } = await gate([entry], files);
    return entries[0]?.checks.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check);
  };
  const status = async (entry: Omit<Vulnerability, 'id'>, files?: Record<string, string>) =>
    (await gate([entry], files)).entries[0]?.status;

  it('about code that does not parse is a phantom: such code is never deployed', async () => {
    const files = { 'main.tf': 'resource "aws_sqs_queue" "q" {\n  name = \n}\n' };
    expect(await failures({ resource: 'aws_sqs_queue.q', attribute: 'name' }, files)).toContain('parses');
  });

  it('about an unsupported language is unchecked, never a phantom', async () => {
    const files = { 'main.bicep': 'resource sa { publicAccess: true }' };
    expect(await status({ resource: 'sa', attribute: 'publicAccess', description: 'Public.' }, files)).toBe(
      'unchecked',
    );
  });

  it('without anything to check is unchecked', async () => {
    expect(await status({ type: 'novel', description: 'The design is poor.' })).toBe('unchecked');
    expect(await status({ type: 'novel', resource: 'aws_kms_key.main', description: 'The design is poor.' })).toBe(
      'unchecked',
    );
    expect((await gate([{ description: 'Poor.' }])).manifest_accuracy).toBeNull();
    expect(await gate([])).toEqual({ entries: [], manifest_accuracy: null });
  });

  it('about several resources needs each of them', async () => {
    const entry = { attribute: 'storage_encrypted', description: 'Unencrypted.' };
    expect(await status({ ...entry, resource: ['aws_db_instance.replica'] })).toBe('confirmed');
    expect(await failures({ ...entry, resource: ['aws_db_instance.replica', 'aws_db_instance.third'] })).toEqual([
      'resource',
    ]);
  });

  it('without a resource is about the block at its line', async () => {
    const place = { file: 'main.tf', line: 89, attribute: 'storage_encrypted', description: 'Unencrypted.' };
    expect(await status(place)).toBe('confirmed');
    expect(await failures({ ...place, file: 'other.tf' })).toEqual(['resource']);
  });

  it('without a resource or line is checked by its quote', async () => {
    expect(await status({ evidence: 'storage_encrypted = false', file: 'main.tf' })).toBe('confirmed');
    expect(await failures({ evidence: 'storage_encrypted = false', file: 'iam.tf' })).toEqual(['evidence']);
  });

  it('with a wrong line is no phantom, but the result says so', async () => {
    const { entries } = await gate([
      { resource: 'aws_db_instance.replica', attribute: 'storage_encrypted', line: 3, description: 'Unencrypted.' },
    ]);
    expect(entries[0]).toMatchObject({
      status: 'confirmed',
      checks: expect.arrayContaining([
        expect.objectContaining({ check: 'resource', reason: expect.stringContaining('line 3 is not in it') }),
      ]),
    });
  });

  it('that quotes another resource is a phantom', async () => {
    const quote = { resource: 'aws_kms_key.main', evidence: 'instance_type = "t3.micro"', description: 'Weak.' };
    expect(await failures(quote)).toEqual(['evidence']);
  });

  it('that states a wrong value is a phantom; one that asks for the value is not', async () => {
    const entry = { resource: 'aws_security_group.web', attribute: 'ingress' };
    expect(await failures({ ...entry, description: 'Traffic passes since from_port is set to 0.' })).toEqual([
      'attribute',
    ]);
    expect(await status({ ...entry, description: 'Traffic passes; from_port should be set to 8443.' })).toBe(
      'confirmed',
    );
  });

  it('with hostile fields does no harm', async () => {
    const hostile = {
      resource: ['__proto__', 'constructor', 'x'.repeat(100_000)],
      attribute: ['__proto__.polluted', '['.repeat(10_000)],
      evidence: '`'.repeat(100_000),
      description: 'not '.repeat(50_000),
    };
    expect(await status(hostile)).toBe('phantom');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a claim in any words', () => {
  const files = {
    'main.tf': `resource "aws_db_instance" "ledger" {
  engine            = "postgres"
  username          = "ledger"
  storage_encrypted = true
}

resource "aws_lambda_function" "resize" {
  function_name = "resize"
  environment {
    variables = {
      STAGE = "prod"
      MAILER = "smtp-Pa55word-9931"
    }
  }
}

resource "aws_lambda_function" "scan" {
  function_name = "scan"
  environment {
    variables = {
      STAGE = "prod"
    }
  }
}

resource "aws_s3_bucket_policy" "exports" {
  policy = jsonencode({
    Statement = [{ Effect = "Deny", Principal = "*", Action = "s3:*", Resource = "*" }]
  })
}

resource "aws_kms_key" "data" {
  policy = jsonencode({
    Statement = [{ Effect = "Allow", Principal = { AWS = "arn:aws:iam::111122223333:root" }, Action = "kms:*", Resource = "*" }]
  })
}

resource "aws_iam_group_policy" "people" {
  policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "s3:*", Resource = "*" }] })
}

resource "aws_security_group" "bastion" {
  ingress {
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}
`,
  };
  it.each([
    ['phantom', 'aws_db_instance.ledger', 'The master password is in plain text', 'username          = "ledger"'],
    ['phantom', 'aws_db_instance.ledger', 'The database is not encrypted', 'engine            = "postgres"'],
    ['phantom', 'aws_lambda_function.scan', 'An API key is stored in the environment variables', 'STAGE = "prod"'],
    [
      'confirmed',
      'aws_lambda_function.resize',
      'A mail password sits in the environment',
      'MAILER = "smtp-Pa55word-9931"',
    ],
    ['phantom', 'aws_s3_bucket_policy.exports', 'The world has every S3 permission', 'Action = "s3:*"'],
    ['phantom', 'aws_kms_key.data', 'The key policy lets any account use the key', 'Action = "kms:*"'],
    ['confirmed', 'aws_iam_group_policy.people', 'Any user of the group has every S3 permission', 'Action = "s3:*"'],
    ['phantom', 'aws_security_group.bastion', 'HTTPS is open to the internet', 'cidr_blocks = ["0.0.0.0/0"]'],
    ['confirmed', 'aws_security_group.bastion', 'SSH is open to every host', 'cidr_blocks = ["0.0.0.0/0"]'],
  ] as const)('%s: %s, %s', async (wanted, resource, description, evidence) => {
    const { entries } = await gate([{ resource, description, evidence, file: 'main.tf' }], files);
    expect(entries[0], JSON.stringify(entries[0]?.checks, null, 1)).toMatchObject({ status: wanted });
  });
});

describe('a true claim is not refuted by words that mean something else', () => {
  const files = {
    'main.tf': `
resource "aws_redshift_parameter_group" "bi" {
  name = "bi-settings"
  parameter {
    name  = "require_ssl"
    value = "false"
  }
}
resource "aws_iam_role" "runner" {
  name               = "acme-runner"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}
data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]
    principals {
      type        = "Federated"
      identifiers = ["arn:aws:iam::111122223333:oidc-provider/x"]
    }
    condition {
      test     = "StringLike"
      variable = "x:sub"
      values   = ["system:serviceaccount:*:*"]
    }
  }
}
resource "aws_iam_role_policy" "deploy" {
  policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "iam:PassRole", Resource = "*" }] })
}
`,
  };
  it.each([
    ['aws_redshift_parameter_group.bi', 'Sessions with credentials cross the network in clear text', 'require_ssl'],
    ['aws_iam_role.runner', 'The trust matches every service account in every namespace', 'serviceaccount:*:*'],
    ['aws_iam_role_policy.deploy', 'The role passes any role, also one of an administrator', 'iam:PassRole'],
    ['acme-runner', 'The trust matches every service account in every namespace', 'serviceaccount:*:*'],
  ])('%s: %s', async (resource, description, evidence) => {
    const type = resource.includes('redshift') ? 'Unencrypted connections' : 'Trust too wide';
    const { entries } = await gate([{ type, resource, description, evidence }], files);
    expect(entries[0], JSON.stringify(entries[0]?.checks, null, 1)).toMatchObject({ status: 'confirmed' });
  });
});

it('checks a thousand resources', async () => {
  const resources = Array.from(
    { length: 500 },
    (_, index) =>
      `resource "aws_s3_bucket" "b${index}" {\n  bucket = "n${index}"\n}\nresource "aws_s3_bucket_versioning" "b${index}" {\n  bucket = aws_s3_bucket.b${index}.id\n  versioning_configuration {\n    status = "Enabled"\n  }\n}`,
  );
  const claims = Array.from({ length: 40 }, (_, index) => ({
    resource: `aws_s3_bucket.b${index * 10}`,
    attribute: 'versioning',
    description: 'Versioning is disabled.',
  }));
  const { entries } = await gate(claims, { 'main.tf': resources.join('\n') });
  expect(entries.map(({ status }) => status)).toEqual(claims.map(() => 'phantom'));
});
