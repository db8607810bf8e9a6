import { describe, expect, it } from 'vitest';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { allRules } from './rules.ts';
import { runRules } from './run-rules.ts';

/** The weaknesses of a call, with their lines; the call has its inputs from line 3 on. */
async function found(source: string, ...inputs: string[]): Promise<string[]> {
  const code = ['module "it" {', `  source = "${source}"`, ...inputs, '}'].join('\n');
  const findings = runRules(await parseCode({ 'main.tf': code }));
  expect(findings.filter(({ resource }) => resource !== 'module.it')).toEqual([]);
  return findings.map(({ rule_ids, line }) => `${rule_ids?.[0]} ${line}`);
}

const S3 = 'terraform-aws-modules/s3-bucket/aws';
const GROUP = 'terraform-aws-modules/security-group/aws';

describe('an input of a module of the registry', () => {
  it.each([
    ['s3-block-public-acls-off', S3, 'block_public_acls = false'],
    ['s3-bucket-public-read-acl', S3, 'acl = "public-read"'],
    ['s3-bucket-no-versioning', S3, 'versioning = { enabled = false }'],
    ['rds-publicly-accessible', 'terraform-aws-modules/rds/aws', 'publicly_accessible = true'],
    ['rds-instance-unencrypted', 'terraform-aws-modules/rds/aws', 'storage_encrypted = false'],
    ['rds-cluster-unencrypted', 'terraform-aws-modules/rds-aurora/aws', 'storage_encrypted = false'],
    ['eks-no-control-plane-logging', 'terraform-aws-modules/eks/aws', 'cluster_enabled_log_types = ["api"]'],
    ['ecr-mutable-tags', 'terraform-aws-modules/ecr/aws', 'repository_image_tag_mutability = "MUTABLE"'],
    ['lb-no-deletion-protection', 'terraform-aws-modules/alb/aws', 'enable_deletion_protection = false'],
    ['lb-listener-http', 'terraform-aws-modules/alb/aws', 'http_tcp_listeners = [{ port = 80, protocol = "HTTP" }]'],
    ['lb-listener-http', 'terraform-aws-modules/alb/aws', 'listeners = { web = { port = 80, protocol = "HTTP" } }'],
    ['ec2-imdsv1-allowed', 'terraform-aws-modules/autoscaling/aws', 'metadata_options = { http_endpoint = "enabled" }'],
    [
      'instance-block-device-unencrypted',
      'terraform-aws-modules/autoscaling/aws',
      'root_block_device = [{ volume_size = 50 }]',
    ],
    ['s3-static-website', S3, 'website = { index_document = "index.html" }'],
    ['ec2-no-detailed-monitoring', 'terraform-aws-modules/ec2-instance/aws', 'monitoring = false'],
    ['kms-no-rotation', 'terraform-aws-modules/kms/aws', 'enable_key_rotation = false'],
    [
      'lambda-env-secret',
      'terraform-aws-modules/lambda/aws',
      'environment_variables = { DB_PASSWORD = "tr0ub4dor&3x" }',
    ],
    ['subnet-assigns-public-ip', 'terraform-aws-modules/vpc/aws', 'map_public_ip_on_launch = true'],
    ['elasticache-no-tls', 'terraform-aws-modules/elasticache/aws', 'transit_encryption_enabled = false'],
    ['opensearch-unencrypted', 'terraform-aws-modules/opensearch/aws', 'encrypt_at_rest = { enabled = false }'],
    [
      'dynamodb-table-unencrypted',
      'terraform-aws-modules/dynamodb-table/aws',
      'server_side_encryption_enabled = false',
    ],
    ['password-policy-short', 'terraform-aws-modules/iam/aws//modules/iam-account', 'minimum_password_length = 8'],
    [
      'sg-ingress-sensitive-port-open',
      GROUP,
      'ingress_with_cidr_blocks = [{ rule = "mysql-tcp", cidr_blocks = "0.0.0.0/0" }]',
    ],
    ['sg-ingress-ssh-open', `${GROUP}//modules/ssh`, 'ingress_cidr_blocks = ["0.0.0.0/0"]'],
  ])('has the weakness %s of the resource that it sets', async (weakness, source, input) => {
    expect(await found(source, `  ${input}`)).toContain(`${weakness} 3`);
    const repository = source.replace(/\/([a-z0-9-]+)\/aws/, '/terraform-aws-$1.git');
    expect(await found(`git::https://github.com/${repository}?ref=v1.2.3`, `  ${input}`)).toContain(`${weakness} 3`);
  });

  it.each([
    ['sqs-policy-wildcard-action', 'sqs', 'queue_policy_statements', '{ all = STATEMENT }'],
    ['sns-public', 'sns', 'topic_policy_statements', '[STATEMENT]'],
    ['secret-policy-wildcard', 'secrets-manager', 'policy_statements', '{ all = STATEMENT }'],
  ])('with statements of a policy has the weakness %s', async (weakness, name, input, value) => {
    const statement = (more: string) =>
      `{ actions = ["*"], principals = [{ type = "AWS", identifiers = ["*"] }]${more} }`;
    const findings = (more: string) =>
      found(`terraform-aws-modules/${name}/aws`, `  ${input} = ${value.replace('STATEMENT', statement(more))}`);
    expect(await findings('')).toContain(`${weakness} 3`);
    expect(await findings(', effect = "Deny"')).not.toContain(`${weakness} 3`);
    const organization = '{ test = "StringEquals", variable = "aws:PrincipalOrgID", values = ["o-a1b2c3"] }';
    expect((await findings(`, conditions = [${organization}]`)).join()).not.toContain('-public');
  });

  it('that is not set has the default of the module', async () => {
    expect(await found(S3)).toContain('s3-bucket-no-versioning 1');
    expect(await found(S3)).toContain('s3-no-lifecycle 1');
    expect(await found(S3, '  lifecycle_rule = [{ enabled = true }]')).not.toContain('s3-no-lifecycle 1');
    expect(await found('terraform-aws-modules/dynamodb-table/aws')).toContain('dynamodb-table-no-cmk 1');
    expect(await found('terraform-aws-modules/vpc/aws')).toContain('vpc-no-flow-logs 1');
    expect(await found('terraform-aws-modules/vpc/aws', '  enable_flow_log = true')).toEqual([]);
    expect(await found('terraform-aws-modules/lambda/aws')).toContain('lambda-no-dead-letter-queue 1');
    expect(await found('terraform-aws-modules/cloudfront/aws')).toContain('cloudfront-no-access-logs 1');
  });

  it('that is not set is no finding when versions of the module differ', async () => {
    expect((await found(S3)).filter((line) => line.includes('block-public'))).toEqual([]);
    expect(await found('terraform-aws-modules/ecr/aws')).toEqual([]);
  });

  it('that is not set has the default of the version that the call names', async () => {
    const blocked = async (version: string) =>
      (await found(S3, `  version = "${version}"`)).filter((line) => line.includes('block-public-acls'));
    for (const old of ['3.7.0', '= 3.8.2', '~> 2.1.0'])
      expect(await blocked(old)).toEqual(['s3-block-public-acls-off 1']);
    for (const other of ['3.9.0', '~> 3.0', '>= 3.1.0', '3', '', 'x.y.z']) expect(await blocked(other)).toEqual([]);
  });

  it.each([
    ['6.3.0', true],
    ['~> 8.7', true],
    ['~> 9.1', false],
    ['>= 6.0', false],
    ['~> 6.0, < 10', false],
  ])('that is not set has the default that the version %s has', async (version, isOff) => {
    const lines = await found('terraform-aws-modules/alb/aws', `  version = "${version}"`);
    expect(lines.includes('lb-no-deletion-protection 1')).toBe(isOff);
  });

  it('that is not set has the default of the tag that the source names', async () => {
    const lines = await found('github.com/terraform-aws-modules/terraform-aws-alb?ref=v6.3.0');
    expect(lines).toContain('lb-keeps-invalid-headers 1');
  });

  it('that is not known is no finding', async () => {
    expect(await found(GROUP, '  ingress_cidr_blocks = var.clients', '  ingress_rules = ["ssh-tcp"]')).toEqual([]);
    expect(await found('terraform-aws-modules/kms/aws', '  enable_key_rotation = var.rotates')).toEqual([]);
  });

  it('cannot say whether an attribute that no input sets is there', async () => {
    const [rule] = allRules();
    if (!rule) throw new Error('There are no rules.');
    const project = await parseCode({ 'main.tf': `module "it" {\n  source = "${S3}"\n}\n` });
    for (const present of [true, false]) {
      const look = { types: ['aws_s3_bucket'], except: [], when: [], check: { at: 'request_payer', present } };
      expect(runRules(project, { rules: [{ ...rule, terraform: [look] }] })).toEqual([]);
    }
  });

  it('with a redirect to HTTPS for each listener is no finding', async () => {
    const web = '{ port = 80, protocol = "HTTP", redirect = { port = "443", protocol = "HTTPS" } }';
    for (const input of [`  http_tcp_listeners = [${web}]`, `  listeners = { web = ${web} }`, '  listeners = var.web'])
      expect(await found('terraform-aws-modules/alb/aws', input)).toEqual([]);
  });

  it('that is a map has the entries that the module adds', async () => {
    const logs = (entries: string) => found('terraform-aws-modules/alb/aws', `  access_logs = { ${entries} }`);
    expect(await logs('bucket = "logs"')).toEqual([]);
    expect(await logs('bucket = "logs", enabled = false')).toEqual(['lb-no-access-logs 3']);
    expect(await logs('')).toEqual(['lb-no-access-logs 3']);
  });

  it('of a group with safe rules is no finding', async () => {
    const safe = ['  ingress_cidr_blocks = ["0.0.0.0/0"]', '  ingress_rules = ["https-443-tcp"]'];
    expect(await found(GROUP, ...safe)).toEqual([]);
    expect(await found(GROUP, '  ingress_cidr_blocks = ["10.7.0.0/16"]', '  ingress_rules = ["all-all"]')).toEqual([]);
  });

  it('does not count if a resource beside the module does its work', async () => {
    const call = `module "it" {\n  source = "${S3}"\n}\n`;
    const log =
      'resource "aws_s3_bucket_versioning" "it" {\n  bucket = module.it.s3_bucket_id\n  versioning_configuration {\n    status = "Enabled"\n  }\n}\n';
    const findings = runRules(await parseCode({ 'main.tf': call + log }));
    expect(findings.map(({ rule_ids }) => rule_ids?.[0])).not.toContain('s3-bucket-no-versioning');
  });
});

describe('a call', () => {
  it('of a module that is not known, or that creates nothing, has no findings', async () => {
    expect(await found('acme/s3-bucket/aws', '  block_public_acls = false')).toEqual([]);
    expect(await found('terraform-aws-modules/unheard-of/aws', '  block_public_acls = false')).toEqual([]);
    expect(await found(S3, '  count = 0', '  block_public_acls = false')).toEqual([]);
  });

  it.each(['3', '[1, [2]]', '{ a = [{}] }', 'null', '"\u0024{var.x}"', '[null, "", { cidr_blocks = [[]] }]'])(
    'with an input of a strange shape throws nothing: %s',
    async (value) => {
      const inputs = [
        'versioning',
        'ingress_with_cidr_blocks',
        'ingress_rules',
        'ingress_cidr_blocks',
        'grant',
        'policy',
        'queue_policy_statements',
      ];
      for (const source of [
        'terraform-aws-modules/sqs/aws',
        S3,
        GROUP,
        `${GROUP}//modules/`,
        'terraform-aws-modules//aws',
      ]) {
        await found(source, ...inputs.map((input) => `  ${input} = ${value}`));
      }
    },
  );
});
