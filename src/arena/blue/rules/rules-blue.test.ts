import { expect, it } from 'vitest';
import { createRulesBlue } from './rules-blue.ts';

const files = {
  'main.tf': 'resource "aws_ebs_volume" "disk" {\n  encrypted = false\n  kms_key_id = "key"\n}\n',
  'template.yaml':
    'Resources:\n  Disk:\n    Type: AWS::EC2::Volume\n    Properties:\n      Encrypted: false\n      KmsKeyId: key\n',
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
  await expect(rules.analyze({ files: { 'README.md': '' } })).rejects.toMatchObject({ code: 'NO_CODE' });
  await expect(
    rules.analyze({ files: { 'main.tf': files['main.tf'] }, language: 'cloudformation' }),
  ).rejects.toMatchObject({ code: 'NO_CODE' });
  await expect(rules.analyze({ files: { 'main.tf': '"'.repeat(10_000) } })).rejects.toMatchObject({
    code: 'UNREADABLE_CODE',
    message: expect.stringContaining('main.tf:1:1'),
  });
});

it('stops when it is aborted', async () => {
  await expect(createRulesBlue().analyze({ files, signal: AbortSignal.abort() })).rejects.toThrow();
});
