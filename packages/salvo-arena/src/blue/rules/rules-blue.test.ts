import { expect, it } from 'vitest';
import { createRulesBlue } from './rules-blue.ts';

const files = {
  'main.tf': 'resource "aws_ebs_volume" "disk" {\n  encrypted = false\n  kms_key_id = "key"\n}\n',
  'template.yaml':
    'Resources:\n  Disk:\n    Type: AWS::EC2::Volume\n    Properties:\n      Encrypted: false\n      KmsKeyId: key\n  Use:\n    Type: AWS::EC2::VolumeAttachment\n    Properties: {VolumeId: !Ref Disk}\n',
  'README.md': 'encrypted = false',
};

it('finds flaws without a model', async () => {
  const { findings, metadata } = await createRulesBlue().analyze({ files });
  expect(findings.map(({ file, line }) => `${file}:${line}`)).toEqual(['main.tf:2', 'template.yaml:5']);
  expect(metadata).toMatchObject({ blue: 'rules', mode: 'tools_only', model_calls: 0, cost_usd: 0 });
});

it('reads only the requested language', async () => {
  const { findings } = await createRulesBlue().analyze({ files, language: 'cloudformation' });
  expect(findings.map(({ file }) => file)).toEqual(['template.yaml']);
});

it('finds nothing in secure code', async () => {
  expect((await createRulesBlue().analyze({ files: { 'main.tf': 'locals {\n  a = 1\n}\n' } })).findings).toEqual([]);
});

it('throws on unreadable code and on no code, instead of finding nothing', async () => {
  const rules = createRulesBlue();
  await expect(rules.analyze({ files: { 'README.md': '' } })).rejects.toMatchObject({ code: 'CODE_NOT_COVERED' });
  await expect(
    rules.analyze({ files: { 'main.tf': files['main.tf'] }, language: 'cloudformation' }),
  ).rejects.toMatchObject({ code: 'CODE_NOT_COVERED' });
  await expect(rules.analyze({ files: { 'main.tf': '"'.repeat(10_000) } })).rejects.toMatchObject({
    code: 'CODE_UNREADABLE',
    message: expect.stringContaining('main.tf:1:1'),
  });
});

it('stops when it is aborted', async () => {
  await expect(createRulesBlue().analyze({ files, signal: AbortSignal.abort() })).rejects.toThrow();
});

it.each([
  ['of another cloud', 'main.tf', 'resource "azurerm_storage_account" "a" {\n  name = "a"\n}\n', /azurerm \(1 block\)/],
  ['of a module for another cloud', 'main.tf', 'module "n" {\n  source = "Azure/network/azurerm"\n}\n', /azurerm/],
  ['for Kubernetes', 'pod.yaml', 'apiVersion: v1\nkind: Pod\n', /Kubernetes \(1 file\)/],
  ['in Bicep', 'main.bicep', 'param location string', /Bicep/],
  ['of another vendor', 'a.yaml', 'Resources:\n  M:\n    Type: Datadog::Monitors::Monitor\n', /datadog/],
])('says that code %s is not covered, instead of finding nothing', async (_, name, text, what) => {
  await expect(createRulesBlue().analyze({ files: { [name]: text } })).rejects.toMatchObject({
    code: 'CODE_NOT_COVERED',
    outcome: 'unscored',
    message: expect.stringMatching(what),
  });
});

it('names what it cannot look at beside the code that it covers', async () => {
  const { metadata } = await createRulesBlue().analyze({
    files: {
      ...files,
      'azure.tf': 'resource "azurerm_linux_web_app" "a" {\n}\nresource "random_id" "b" {\n}\n',
      'deploy/pod.yaml': 'apiVersion: v1\nkind: Pod\n',
      'modules.tf':
        'module "v" {\n  source = "terraform-aws-modules/vpc/aws"\n}\nmodule "w" {\n  source = "./w"\n}\nmodule "x" {\n  source = "git::https://github.com/terraform-aws-modules/terraform-aws-kms.git"\n}\n',
    },
  });
  expect(metadata.not_covered).toEqual([
    { what: 'Kubernetes', kind: 'language', count: 1, files: ['deploy/pod.yaml'] },
    { what: 'azurerm', kind: 'provider', count: 1, files: ['azure.tf'] },
  ]);
});
