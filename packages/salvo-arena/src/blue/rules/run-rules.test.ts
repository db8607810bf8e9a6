import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import { findingSchema } from '../../match/claims/finding.ts';
import { runRules } from './run-rules.ts';

async function found(files: Record<string, string>): Promise<string[]> {
  const findings = runRules(await parseCode(files));
  return findings.map(({ rule_ids, resource, file, line }) => `${rule_ids?.[0]} ${String(resource)} ${file}:${line}`);
}

const VOLUME = 'resource "aws_ebs_volume" "disk" {\n  encrypted = false\n  kms_key_id = "key"\n}\n';

describe('a finding', () => {
  it('says what is wrong, where, why, and how to fix it', async () => {
    const [finding] = runRules(await parseCode({ 'disks/main.tf': VOLUME }));
    expect(findingSchema.parse(finding)).toEqual({
      type: 'encryption_at_rest',
      resource: 'aws_ebs_volume.disk',
      severity: 'high',
      title: 'EBS volume is not encrypted',
      description: expect.stringMatching(/^aws_ebs_volume\.disk: encrypted is false\. /),
      evidence: 'encrypted = false',
      remediation: expect.stringContaining('encrypted = true'),
      source: 'salvo-rules',
      confidence: 0.95,
      file: 'disks/main.tf',
      line: 2,
      end_line: 2,
      attribute: 'encrypted',
      rule_id: 'SALVO_AWS_040',
      rule_ids: ['ebs-volume-unencrypted', 'CWE-311'],
    });
  });

  it('about something missing points at the head of the block', async () => {
    const [finding] = runRules(await parseCode({ 'main.tf': '\nresource "aws_ebs_volume" "disk" {\n  size = 1\n}\n' }));
    expect(finding).toMatchObject({
      line: 2,
      end_line: 2,
      evidence: 'resource "aws_ebs_volume" "disk" {',
      attribute: 'encrypted',
    });
  });

  it('in a policy document also names the document', async () => {
    const main = 'resource "aws_iam_policy" "it" {\n  policy = data.aws_iam_policy_document.it.json\n}\n';
    const data =
      'data "aws_iam_policy_document" "it" {\n  statement {\n    actions   = ["*"]\n    resources = ["*"]\n  }\n}\n';
    expect(await found({ 'main.tf': main, 'data.tf': data })).toEqual([
      'iam-policy-full-admin aws_iam_policy.it,data.aws_iam_policy_document.it data.tf:3',
    ]);
  });

  it('in one of several policy documents is one finding', async () => {
    const code =
      'locals {\n  all = toset(["a"])\n}\nresource "aws_iam_policy" "it" {\n  for_each = local.all\n  policy   = data.aws_iam_policy_document.it[each.key].json\n}\n' +
      'data "aws_iam_policy_document" "it" {\n  for_each = local.all\n  statement {\n    actions   = ["*"]\n    resources = ["*"]\n  }\n}\n';
    expect(await found({ 'main.tf': code })).toEqual([
      'iam-policy-full-admin aws_iam_policy.it,data.aws_iam_policy_document.it main.tf:11',
    ]);
  });

  it('is less certain when the resource may not exist', async () => {
    const code = 'variable "n" {}\nresource "aws_ebs_volume" "disk" {\n  count     = var.n\n  encrypted = false\n}\n';
    const [finding] = runRules(await parseCode({ 'main.tf': code }));
    expect(finding?.confidence).toBe(0.7);
  });
});

describe('values', () => {
  it.each([
    ['variable "x" {\n  default = false\n}\n', 'var.x'],
    ['locals {\n  x = !true\n}\n', 'local.x'],
    ['locals {\n  all = { disk = { encrypted = false } }\n}\n', 'local.all.disk.encrypted'],
  ])('are evaluated: %s', async (before, value) => {
    const code = `resource "aws_ebs_volume" "disk" {\n  encrypted = ${value}\n  kms_key_id = "key"\n}\n`;
    expect(await found({ 'main.tf': code, 'other.tf': before })).toEqual([
      'ebs-volume-unencrypted aws_ebs_volume.disk main.tf:2',
    ]);
  });

  it('under a condition need the full reach; the plain reach has no finding there', async () => {
    const variable = 'variable "prod" {\n  default = false\n}\n';
    const project = await parseCode({
      'main.tf': `${variable}resource "aws_ebs_volume" "disk" {\n  encrypted = var.prod ? true : false\n  kms_key_id = "key"\n}\n`,
    });
    expect(runRules(project)).toEqual([]);
    expect(runRules(project, { reach: 'full' }).map(({ line }) => line)).toEqual([5]);
  });

  it.each(['var.x', 'data.aws_ssm_parameter.x.value', 'local.nowhere', 'module.x.encrypted', 'local.a'])(
    'that are not known are no finding: %s',
    async (value) => {
      const code = `variable "x" {}\nlocals {\n  a = local.b\n  b = local.a\n}\nresource "aws_ebs_volume" "disk" {\n  encrypted = ${value}\n  kms_key_id = "key"\n}\n`;
      expect(await found({ 'main.tf': code })).toEqual([]);
    },
  );

  it('of a parameter are its default, if it has one', async () => {
    const template = (standard: string) =>
      `Parameters:\n  On:\n    Type: String\n${standard}Resources:\n  Disk:\n    Type: AWS::EC2::Volume\n    Properties:\n      Encrypted: !Ref On\n      KmsKeyId: key\n  Use:\n    Type: AWS::EC2::VolumeAttachment\n    Properties: {VolumeId: !Ref Disk}\n`;
    expect(await found({ 't.yaml': template('    Default: "false"\n') })).toEqual([
      'ebs-volume-unencrypted AWS::EC2::Volume.Disk t.yaml:9',
    ]);
    expect(await found({ 't.yaml': template('') })).toEqual([]);
  });
});

describe('a resource', () => {
  it('with many instances has one finding for each rule', async () => {
    const code = VOLUME.replace('{\n', '{\n  count = 3\n');
    expect(await found({ 'main.tf': code })).toEqual(['ebs-volume-unencrypted aws_ebs_volume.disk main.tf:3']);
  });

  it.each([
    ['a map', '{ a = { on = true }, b = { on = false } }', 'each.value.on'],
    ['a local', 'local.disks', 'each.value.on'],
    ['the default of a variable', 'var.disks', 'each.value.on'],
    ['a set', 'toset(["true", "false"])', 'each.key'],
  ])('for each of %s has a finding if one of them has the flaw', async (_, all, value) => {
    const disks = '{ a = { on = true }, b = { on = false } }';
    const before = `locals {\n  disks = ${disks}\n}\nvariable "disks" {\n  default = ${disks}\n}\n`;
    const code = `resource "aws_ebs_volume" "disk" {\n  for_each  = ${all}\n  encrypted = ${value}\n}\n`;
    expect(await found({ 'main.tf': code, 'other.tf': before })).toContain(
      'ebs-volume-unencrypted aws_ebs_volume.disk main.tf:3',
    );
  });

  it('with a dynamic block over a list is checked for each of its items', async () => {
    const code = `resource "aws_security_group" "web" {
  description = "Web servers"
  dynamic "ingress" {
    for_each = [443, 22]
    content {
      description = "Clients"
      from_port   = ingress.value
      to_port     = ingress.value
      protocol    = "tcp"
      cidr_blocks = ["0.0.0.0/0"]
    }
  }
}
output "web" {
  value = aws_security_group.web.id
}
`;
    expect(await found({ 'main.tf': code })).toEqual(['sg-ingress-ssh-open aws_security_group.web main.tf:10']);
  });

  it('in a module that is called twice has one finding for each rule', async () => {
    const calls = 'module "a" {\n  source = "./disk"\n}\nmodule "b" {\n  source = "./disk"\n}\n';
    expect(await found({ 'main.tf': calls, 'disk/main.tf': VOLUME })).toEqual([
      'ebs-volume-unencrypted module.a.aws_ebs_volume.disk disk/main.tf:2',
    ]);
  });

  it('without instances has no finding', async () => {
    expect(await found({ 'main.tf': VOLUME.replace('{\n', '{\n  count = 0\n') })).toEqual([]);
  });

  it('of an unknown kind is not taken as one that a rule leaves out, nor as one that a rule is for', async () => {
    const code = (type: string, body: string) => ({ 'main.tf': `resource "${type}" "it" {\n${body}\n}\n` });
    const cache = code('aws_elasticache_cluster', 'engine = var.engine\nnode_type = "cache.t3.small"');
    expect((await found(cache)).join()).toContain('elasticache-no-backup');
    const nodes = 'node_type = "cache.t3.small"\nnum_cache_nodes = 2';
    const mode = (engine: string) => found(code('aws_elasticache_cluster', `engine = ${engine}\n${nodes}`));
    expect((await mode('"memcached"')).join()).toContain('elasticache-no-multi-az');
    expect((await mode('var.engine')).join()).not.toContain('elasticache-no-multi-az');
  });

  it('under an unknown condition has a finding that is less certain', async () => {
    const template =
      'Conditions:\n  Never: !Equals [a, b]\nResources:\n  Disk:\n    Type: AWS::EC2::Volume\n    Condition: Never\n    Properties: {Encrypted: false, KmsKeyId: key}\n  Use:\n    Type: AWS::EC2::VolumeAttachment\n    Properties: {VolumeId: !Ref Disk}\n';
    const project = await parseCode({ 't.yaml': template });
    expect(runRules(project).map(({ confidence }) => confidence)).toEqual([0.7]);
    expect(runRules(project, { reach: 'full' })).toEqual([]);
  });
});

describe('a companion', () => {
  const network = 'resource "aws_vpc" "it" {}\noutput "id" {\n  value = aws_vpc.it.id\n}\n';
  const unlogged = async (files: Record<string, string>) =>
    (await found(files)).filter((line) => line.startsWith('vpc-no-flow-logs'));

  it('may be outside of the module of its resource', async () => {
    const call = 'module "net" {\n  source = "./net"\n}\n';
    const log = 'resource "aws_flow_log" "it" {\n  vpc_id = module.net.id\n}\n';
    expect(await unlogged({ 'main.tf': call + log, 'net/main.tf': network })).toEqual([]);
    expect(await unlogged({ 'main.tf': call, 'net/main.tf': network })).toEqual([
      'vpc-no-flow-logs module.net.aws_vpc.it net/main.tf:1',
    ]);
  });

  it('belongs to the resource of its own call, if a module is called for several keys', async () => {
    const call = 'module "shop" {\n  source   = "./shop"\n  for_each = toset(["eu", "us"])\n}\n';
    const networks =
      'resource "aws_vpc" "it" {\n  for_each = toset(["a"])\n}\nresource "aws_flow_log" "it" {\n  for_each = aws_vpc.it\n  vpc_id   = each.value.id\n}\n';
    expect(await unlogged({ 'main.tf': call, 'shop/main.tf': networks })).toEqual([]);
  });

  it('with a flaw is named with its resource, and once', async () => {
    const bucket = 'resource "aws_s3_bucket" "a" {}\nresource "aws_s3_bucket" "b" {}\n';
    const versioning = (name: string, status: string) =>
      `resource "aws_s3_bucket_versioning" "${name}" {\n  bucket = aws_s3_bucket.${name}.id\n  versioning_configuration {\n    status = "${status}"\n  }\n}\n`;
    const findings = await found({ 'main.tf': bucket + versioning('a', 'Suspended') + versioning('b', 'Enabled') });
    expect(findings.filter((line) => line.startsWith('s3-bucket-no-versioning'))).toEqual([
      's3-bucket-no-versioning aws_s3_bucket_versioning.a,aws_s3_bucket.a main.tf:6',
    ]);
  });

  it('of another resource does not count', async () => {
    const log = 'resource "aws_flow_log" "it" {\n  vpc_id = aws_vpc.other.id\n}\nresource "aws_vpc" "other" {}\n';
    expect(await unlogged({ 'main.tf': network + log })).toEqual(['vpc-no-flow-logs aws_vpc.it main.tf:1']);
  });

  it.each([
    ['a parameter', 'Parameters:\n  Target: { Type: String }\n', '', false],
    ['created by SAM', '', '  Tar:\n    Type: AWS::Serverless::Api\n    Properties: { StageName: live }\n', false],
    ['nowhere in the template', '', '', true],
  ])('of a name that is %s', async (_, parameters, more, isMissing) => {
    const code = `${parameters}Resources:
${more}  Front_Door:
    Type: AWS::ElasticLoadBalancingV2::LoadBalancer
    Properties: { Type: application }
  Guard:
    Type: AWS::WAFv2::WebACLAssociation
    Properties: { ResourceArn: !Ref Target, WebACLArn: arn }
`;
    const name = 'lb-no-waf AWS::ElasticLoadBalancingV2::LoadBalancer.Front_Door';
    const hasFinding = async (text: string) => (await found({ 'a.yaml': text })).some((line) => line.startsWith(name));
    expect(await hasFinding(code)).toBe(isMissing);
    expect(await hasFinding(code.replace('!Ref Target', '!Ref Front_Door'))).toBe(false);
  });

  it('that may not exist counts', async () => {
    const log = 'variable "on" {}\nresource "aws_flow_log" "it" {\n  count  = var.on\n  vpc_id = aws_vpc.it.id\n}\n';
    expect(await unlogged({ 'main.tf': network + log })).toEqual([]);
  });
});

describe('any code', () => {
  it('gives findings in the order of files and lines, the same each time', async () => {
    const files = { 'b.tf': VOLUME, 'a.tf': VOLUME.replace('disk', 'other') + VOLUME.replace('disk', 'third') };
    const [once, again] = [await found(files), await found(files)];
    expect(once.map((line) => line.split(' ').at(-1))).toEqual(['a.tf:2', 'a.tf:6', 'b.tf:2']);
    expect(again).toEqual(once);
  });

  it('that is broken gives the findings of its intact parts', async () => {
    expect(await found({ 'main.tf': `${VOLUME}resource "aws_instance" {{{ ` })).toContain(
      'ebs-volume-unencrypted aws_ebs_volume.disk main.tf:2',
    );
  });

  it('of strange shape throws nothing', async () => {
    const shapes = [
      '3',
      '[1, [2]]',
      '{a: {b: c}}',
      '!Ref X',
      '!If [A, {}, []]',
      '"__proto__"',
      '{__proto__: {Encrypted: true}}',
      'null',
    ];
    for (const shape of shapes) {
      const types = [
        'AWS::EC2::Volume',
        'AWS::S3::BucketPolicy',
        'AWS::EC2::SecurityGroup',
        'AWS::ECS::TaskDefinition',
        'AWS::IAM::Role',
      ];
      for (const type of types) {
        const body = `{Encrypted: ${shape}, PolicyDocument: ${shape}, SecurityGroupIngress: ${shape}, ContainerDefinitions: ${shape}, AssumeRolePolicyDocument: {Statement: ${shape}}, Policies: ${shape}}`;
        const template = `Resources:\n  It:\n    Type: ${type}\n    Properties: ${body}\n  Other:\n    Type: ${type}\n    Properties: ${shape}\n`;
        expect(Array.isArray(runRules(await parseCode({ 't.yaml': template })))).toBe(true);
      }
    }
  });

  it('cut off anywhere throws nothing', async () => {
    const code = `${VOLUME}resource "aws_iam_policy" "p" {\n  policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }] })\n}\n`;
    await fc.assert(
      fc.asyncProperty(fc.nat(code.length), async (length) => {
        await found({ 'main.tf': code.slice(0, length) });
      }),
      { numRuns: 60 },
    );
  });

  it('follows a name of a template that is written without !Ref', async () => {
    const task = '  Web:\n    Type: AWS::ECS::TaskDefinition\n    Properties: {Family: web}\n';
    const service = '  Site:\n    Type: AWS::ECS::Service\n    Properties: {TaskDefinition: Web}\n';
    const findings = runRules(await parseCode({ 't.yaml': `Resources:\n${task}${service}` }));
    expect(findings.map(({ resource }) => resource)).toContainEqual([
      'AWS::ECS::TaskDefinition.Web',
      'AWS::ECS::Service.Site',
    ]);
  });

  it.each([
    ['a resource that is not in the template is none of its resources', '!Ref Elsewhere', true],
    ['a parameter may be any of its resources', '!Ref Name', false],
    ['a name with a pseudo parameter may be any of its resources', '!Sub "\u0024{AWS::StackName}-logs"', false],
    ['an import may be any of its resources', '!ImportValue logs', false],
  ])('a reference to %s', async (_, target, isFound) => {
    const logs = `  Orders:\n    Type: AWS::S3::Bucket\n    Properties:\n      LoggingConfiguration: {DestinationBucketName: ${target}}\n`;
    const code = `Parameters:\n  Name: {Type: String}\nResources:\n  Data:\n    Type: AWS::S3::Bucket\n${logs}`;
    const findings = await found({ 't.yaml': code });
    expect(findings.some((one) => one.startsWith('s3-bucket-no-access-logging AWS::S3::Bucket.Data'))).toBe(isFound);
  });

  it('finds the same flaw in each of a thousand resources', async () => {
    const pair = (number: number) =>
      `resource "aws_s3_bucket" "b${number}" {\n  acl = "public-read"\n}\nresource "aws_s3_bucket_versioning" "v${number}" {\n  bucket = aws_s3_bucket.b${number}.id\n}\n`;
    const code = Array.from({ length: 500 }, (_, number) => pair(number)).join('');
    const findings = runRules(await parseCode({ 'main.tf': code }));
    expect(findings.filter(({ rule_ids }) => rule_ids?.[0] === 's3-bucket-no-versioning')).toHaveLength(500);
  });
});
