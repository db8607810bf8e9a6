import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../iac/edit/edits.ts';
import { createScope } from '../../iac/evaluate/scope.ts';
import { parseCode } from '../../iac/syntax/parse-code.ts';
import type { MutationOperator } from './operator.ts';
import { operatorsFor } from './operators.ts';

const operator = (id: string, language: 'terraform' | 'cloudformation' = 'terraform'): MutationOperator => {
  const found = operatorsFor(language).find((one) => one.id === id);
  if (!found) throw new Error(`there is no operator ${id}`);
  return found;
};
const imds = operator('ec2-imdsv1-allowed');
const volume = operator('ebs-volume-unencrypted');

const read = async (files: Record<string, string>) => {
  const project = await parseCode(files);
  return { project, scope: createScope(project) };
};
const targetsIn = async (one: MutationOperator, code: string) => {
  const { project, scope } = await read({ 'main.tf': code });
  return one.targets(project, scope).map(({ address }) => address);
};
const isWeak = async (one: MutationOperator, address: string, files: Record<string, string>) => {
  const { scope } = await read(files);
  return one.isPresent(scope, { address, file: 'main.tf', attribute: null, related: [] });
};

const SECURE = 'resource "aws_ebs_volume" "a" {\n  encrypted = true\n}\n';

describe('what is a target', () => {
  it('is a resource that is secure after evaluation', async () => {
    expect(await targetsIn(volume, SECURE)).toEqual(['aws_ebs_volume.a']);
    const viaLocal = 'locals {\n  on = true\n}\nresource "aws_ebs_volume" "a" {\n  encrypted = local.on\n}\n';
    expect(await targetsIn(volume, viaLocal)).toEqual(['aws_ebs_volume.a']);
  });

  it('is not one that is weak already, by value or by default', async () => {
    expect(await targetsIn(volume, 'resource "aws_ebs_volume" "a" {\n  encrypted = false\n}\n')).toEqual([]);
    expect(await targetsIn(volume, 'resource "aws_ebs_volume" "a" {}\n')).toEqual([]);
  });

  it('is not a resource with an unknown value', async () => {
    const open = 'variable "on" {}\nresource "aws_ebs_volume" "a" {\n  encrypted = var.on\n}\n';
    expect(await targetsIn(volume, open)).toEqual([]);
    const maybe = 'variable "n" {}\nresource "aws_ebs_volume" "a" {\n  count     = var.n\n  encrypted = true\n}\n';
    expect(await targetsIn(volume, maybe)).toEqual([]);
  });

  it('is not a resource without instances', async () => {
    expect(
      await targetsIn(volume, 'resource "aws_ebs_volume" "a" {\n  count     = 0\n  encrypted = true\n}\n'),
    ).toEqual([]);
  });

  it('takes all instances into account', async () => {
    const mixed = `resource "aws_ebs_volume" "a" {
  for_each  = { open = false, shut = true }
  encrypted = each.value
}
`;
    expect(await targetsIn(volume, mixed)).toEqual([]);
    expect(await isWeak(volume, 'aws_ebs_volume.a', { 'main.tf': mixed })).toBe(true);
  });
});

describe('a flaw that is hidden', () => {
  const cases: [how: string, files: Record<string, string>][] = [
    [
      'in the default of a variable',
      {
        'main.tf': 'variable "on" {\n  default = false\n}\nresource "aws_ebs_volume" "a" {\n  encrypted = var.on\n}\n',
      },
    ],
    [
      'in a local',
      { 'main.tf': 'locals {\n  on = 1 > 2\n}\nresource "aws_ebs_volume" "a" {\n  encrypted = local.on\n}\n' },
    ],
    [
      'in a condition',
      {
        'main.tf':
          'variable "stage" {\n  default = "prod"\n}\nresource "aws_ebs_volume" "a" {\n  encrypted = var.stage == "prod" ? false : true\n}\n',
      },
    ],
    [
      'in an override file',
      { 'main.tf': SECURE, 'main_override.tf': 'resource "aws_ebs_volume" "a" {\n  encrypted = false\n}\n' },
    ],
    ['as null, which is the default', { 'main.tf': 'resource "aws_ebs_volume" "a" {\n  encrypted = null\n}\n' }],
    [
      'in a module',
      {
        'main.tf': 'module "disks" {\n  source = "./disks"\n  on     = false\n}\n',
        'disks/main.tf':
          'variable "on" {\n  default = true\n}\nresource "aws_ebs_volume" "a" {\n  encrypted = var.on\n}\n',
      },
    ],
  ];
  it.each(cases)('%s is still found', async (_how, files) => {
    expect(await isWeak(volume, 'aws_ebs_volume.a', files)).toBe(true);
  });

  it('in a dynamic block without instances is found', async () => {
    const code = `resource "aws_instance" "a" {
  dynamic "metadata_options" {
    for_each = []
    content {
      http_tokens = "required"
    }
  }
}
`;
    expect(await isWeak(imds, 'aws_instance.a', { 'main.tf': code })).toBe(true);
  });

  it('in a parameter of CloudFormation is found', async () => {
    const template = `Parameters:
  Encrypt:
    Type: String
    Default: "false"
Resources:
  Disk:
    Type: AWS::EC2::Volume
    Properties:
      Encrypted: !Ref Encrypt
`;
    const { scope } = await read({ 'template.yaml': template });
    const target = { address: 'AWS::EC2::Volume.Disk', file: 'template.yaml', attribute: null, related: [] };
    expect(operator('ebs-volume-unencrypted', 'cloudformation').isPresent(scope, target)).toBe(true);
  });
});

describe('the value that carries a flaw', () => {
  it('can be replaced by any code, and has its secure and its insecure form', async () => {
    const { project, scope } = await read({ 'main.tf': SECURE });
    const [target] = volume.targets(project, scope);
    if (!target) throw new Error('no target');
    const value = volume.weakValue(project, target);
    expect(value).toMatchObject({
      file: 'main.tf',
      address: 'aws_ebs_volume.a',
      attribute: 'encrypted',
      secure: 'true',
      insecure: 'false',
      type: 'bool',
    });
    const [edit] = value?.write('var.encrypted') ?? [];
    expect(applyEdits(SECURE, edit?.edits ?? [])).toBe(
      'resource "aws_ebs_volume" "a" {\n  encrypted = var.encrypted\n}\n',
    );
  });

  it('does not exist where a block is removed', async () => {
    const code =
      'resource "aws_lambda_function" "f" {\n  dead_letter_config {\n    target_arn = "arn:aws:sqs:a"\n  }\n}\n';
    const { project, scope } = await read({ 'main.tf': code });
    const queue = operator('lambda-no-dead-letter-queue');
    const [target] = queue.targets(project, scope);
    if (!target) throw new Error('no target');
    expect(queue.weakValue(project, target)).toBeNull();
    const [edit] = queue.apply(project, target);
    expect(applyEdits(code, edit?.edits ?? [])).toBe('resource "aws_lambda_function" "f" {\n}\n');
  });
});

describe('a secret that is written out', () => {
  const token = operator('ssm-parameter-hardcoded-secret');
  const parameter = (value: string) =>
    `variable "given" {\n  type = string\n}\nvariable "kept" {\n  default = "s3cret-value"\n}\nresource "aws_ssm_parameter" "p" {\n  type  = "SecureString"\n  value = ${value}\n}\n`;

  it('is in the code or in a default; a variable without default is no flaw', async () => {
    expect(await isWeak(token, 'aws_ssm_parameter.p', { 'main.tf': parameter('"s3cret-value"') })).toBe(true);
    expect(await isWeak(token, 'aws_ssm_parameter.p', { 'main.tf': parameter('var.kept') })).toBe(true);
    expect(await targetsIn(token, parameter('var.given'))).toEqual(['aws_ssm_parameter.p']);
  });
});
