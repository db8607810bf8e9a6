import { describe, expect, test } from 'vitest';
import { toMarkdown } from '../../packages/salvo/src/report/document/markdown.ts';
import { scanCode } from '../../packages/salvo-arena/src/app/games/scan-code.ts';
import { sarif } from '../../packages/salvo-arena/src/match/importers/sarif/sarif.ts';
import { knownFindingsText } from '../../packages/salvo-arena/src/report/scan/known-findings.ts';
import { renderScan, scanReport } from '../../packages/salvo-arena/src/report/scan/scan-report.ts';
import { scanSarif } from '../../packages/salvo-arena/src/report/scan/scan-sarif.ts';
import { projectFixture } from '../project-fixture.ts';

const DISK = 'resource "aws_ebs_volume" "disk" {\n  encrypted = false\n  kms_key_id = var.key\n}\n';
const AZURE = 'resource "azurerm_storage_account" "a" {\n  name = "a"\n}\n';
const PASSWORD = 'Sup3rS3cretPw99';
const DATABASE = `resource "aws_db_instance" "db" {\n  password = "${PASSWORD}"\n}\n`;
const LOOK = { width: 120, color: false };

describe('a scan of code', () => {
  test('fails from a severity on, and names every place from the working directory', async () => {
    await using project = await projectFixture({
      'infra/main.tf': DISK,
      'infra/.terraform/x.tf': DISK,
      'infra/node_modules/y/x.tf': DISK,
      'other/data.tf': DATABASE,
      'loose.txt': 'no code',
    });
    const scan = (paths: string[], failOn?: 'critical' | 'none' | 'info') =>
      scanCode({ paths, failOn, cwd: project.root, env: {} });
    const sheet = await scan(['infra']);
    expect(sheet).toMatchObject({ status: 'failed', blue: 'rules', files: 1, fail_on: 'medium', not_covered: [] });
    expect(sheet.findings).toMatchObject([{ severity: 'high', file: 'infra/main.tf', line: 2 }]);
    expect(await scan(['infra'], 'critical')).toMatchObject({ status: 'passed', severities: { high: 1 } });
    expect(await scan(['infra'], 'none')).toMatchObject({ status: 'passed' });
    // A file of another folder, and one that is not code, are part of the same scan.
    const both = await scan(['other/data.tf', 'infra', 'loose.txt']);
    expect(new Set(both.findings?.map(({ file }) => file))).toEqual(new Set(['infra/main.tf', 'other/data.tf']));
    expect(both.files).toBe(2);
  });

  test('quotes no secret in any of its outputs', async () => {
    await using project = await projectFixture({ 'main.tf': DATABASE });
    const sheet = await scanCode({ paths: ['.'], cwd: project.root, env: {} });
    expect(sheet.findings?.some(({ evidence }) => evidence?.includes('password = *'))).toBe(true);
    const outputs = [sheet, scanSarif(sheet), renderScan(sheet, LOOK), toMarkdown(scanReport(sheet))];
    expect(JSON.stringify(outputs)).not.toContain(PASSWORD);
  });

  test.each([
    ['another cloud', 'main.tf', AZURE, /Not covered.*azurerm \(1 block\)/],
    ['another language', 'pod.yaml', 'apiVersion: v1\nkind: Pod\n', /Not covered.*Kubernetes/],
    ['no language at all', 'notes.json', '{}', /no Terraform or CloudFormation code/],
    ['nothing', 'readme.md', '', /no infrastructure code in \./],
  ])('of %s is unscored and has no list of findings', async (_, name, text, message) => {
    await using project = await projectFixture({ [name]: text });
    const sheet = await scanCode({ paths: ['.'], cwd: project.root, env: {} });
    expect(sheet).toMatchObject({ status: 'unscored', findings: null, message: expect.stringMatching(message) });
    expect(renderScan(sheet, LOOK)).toMatch(message);
    expect(scanSarif(sheet).runs[0]?.invocations[0]?.executionSuccessful).toBe(false);
  });

  test('names what it did not look at: other clouds, broken files', async () => {
    await using project = await projectFixture({
      'main.tf': DISK,
      'az/main.tf': AZURE,
      'broken.tf': 'locals {\n',
    });
    const request = { paths: ['.'], cwd: project.root, env: {} };
    const sheet = await scanCode(request);
    // A finding that fails the scan counts, whatever could not be read.
    expect(sheet.status).toBe('failed');
    expect((await scanCode({ ...request, failOn: 'critical' })).status).toBe('unreadable');
    expect(sheet).toMatchObject({
      not_covered: [{ what: 'azurerm', count: 1, files: ['az/main.tf'] }],
      problems: [{ file: 'broken.tf', line: 1, column: 1 }],
    });
    expect(sheet.findings).toHaveLength(1);
    const text = renderScan(sheet, LOOK);
    expect(text).toMatch(/^broken\.tf:1:1: /m);
    expect(text).toMatch(/^Not looked at: azurerm \(1 block\)\.$/m);
  });

  test('follows modules and conditions: what has a count of 0 is not there', async () => {
    const inner = 'variable "encrypted" {}\nresource "aws_ebs_volume" "a" {\n  encrypted = var.encrypted\n}\n';
    await using project = await projectFixture({
      'main.tf': `module "disk" {\n  source    = "./disk"\n  encrypted = false\n}\n${DISK.replace('{', '{\n  count = 0')}`,
      'disk/main.tf': inner,
    });
    const { findings } = await scanCode({ paths: ['.'], cwd: project.root, env: {} });
    expect(new Set(findings?.map(({ file }) => file))).toEqual(new Set(['disk/main.tf']));
  });

  test('with known findings lists only others, wherever these have moved to', async () => {
    await using project = await projectFixture({ 'main.tf': DISK });
    const request = { paths: ['.'], cwd: project.root, env: {}, known: 'known.json' };
    const { findings } = await scanCode({ ...request, known: undefined });
    await project.write('known.json', knownFindingsText(findings ?? []));
    await project.write('main.tf', `# A line above.\n\n${DISK}`);
    expect(await scanCode(request)).toMatchObject({ status: 'passed', findings: [], known: 1, gone: 0 });
    await project.write('main.tf', DISK.replace('"disk"', '"other"'));
    expect(await scanCode(request)).toMatchObject({ status: 'failed', known: 0, gone: 1 });
    for (const text of ['', '[]', '{"version":2,"findings":[]}', '{"version":1,"findings":[1]}', '{']) {
      await project.write('known.json', text);
      await expect(scanCode(request)).rejects.toMatchObject({ code: 'FILE_INVALID' });
    }
  });

  test('by a standard lists what that standard names, and counts the rest', async () => {
    const open =
      'resource "aws_security_group_rule" "ssh" {\n  type = "ingress"\n  from_port = 22\n  to_port = 22\n  protocol = "tcp"\n  cidr_blocks = ["0.0.0.0/0"]\n}\n';
    await using project = await projectFixture({ 'main.tf': DISK + open });
    const request = { paths: ['.'], cwd: project.root, env: {} };
    const [all, cis, hipaa] = await Promise.all([
      scanCode(request),
      scanCode({ ...request, standards: ['cis'] }),
      scanCode({ ...request, standards: ['cis', 'hipaa'] }),
    ]);
    for (const { findings, other_findings } of [cis, hipaa])
      expect((findings?.length ?? 0) + (other_findings ?? 0)).toBe(all.findings?.length);
    expect(new Set(cis.findings?.map(({ resource }) => resource))).toEqual(new Set(['aws_security_group_rule.ssh']));
  });

  test('leaves out what a comment asks to ignore: a rule, in the resource or before it', async () => {
    const disk = (name: string, inside = '') =>
      `resource "aws_ebs_volume" "${name}" {\n${inside}  encrypted = false\n  kms_key_id = var.key\n}\n`;
    const rule = 'SALVO_AWS_040';
    await using project = await projectFixture({
      'main.tf': `# salvo:ignore ${rule} a cache\n${disk('before')}${disk('inside', `  // salvo:ignore X_1, ${rule}\n`)}`,
      'template.yaml': [
        'Resources:',
        '  Disk:',
        `    # salvo:ignore ${rule.toLowerCase()}`,
        '    Type: AWS::EC2::Volume',
        '    Properties: { Encrypted: false, KmsKeyId: !Ref Key }',
        '  Use:',
        '    Type: AWS::EC2::VolumeAttachment',
        '    Properties: { VolumeId: !Ref Disk }',
      ].join('\n'),
      'other.tf': `${disk('other', '  # salvo:ignore SALVO_AWS_041\n')}# salvo:ignore ${rule}\n`,
    });
    const sheet = await scanCode({ paths: ['.'], cwd: project.root, env: {} });
    expect(sheet).toMatchObject({ ignored: 3, findings: [{ file: 'other.tf', rule_id: rule }] });
    expect(renderScan(sheet, LOOK)).toContain('Ignored by comments in the code: 3 findings.');
  });

  test('refuses a path that is not there, and a Blue that cannot look is unscored', async () => {
    await using project = await projectFixture({ 'main.tf': DISK });
    const at = { cwd: project.root, env: {} };
    await expect(scanCode({ paths: ['none'], ...at })).rejects.toMatchObject({
      message: 'none cannot be read: there is no such file or folder.',
      outcome: 'wrong_input',
    });
    await expect(scanCode({ paths: ['.'], blue: 'checkov', ...at })).rejects.toMatchObject({
      code: 'SCANNER_MISSING',
      outcome: 'unscored',
    });
    await expect(scanCode({ paths: ['.'], blue: 'nobody', ...at })).rejects.toMatchObject({ outcome: 'wrong_input' });
  });

  test('as SARIF is a log that is read back, with fingerprints that do not depend on lines', async () => {
    await using project = await projectFixture({ 'my infra/main.tf': DISK + DATABASE });
    const scan = () => scanCode({ paths: ['my infra'], cwd: project.root, env: {} });
    const sheet = await scan();
    const log = scanSarif(sheet);
    const [run] = log.runs;
    const read = sarif.findings(log);
    expect(read.map(({ rule_id, file, line, severity }) => [rule_id, file, line, severity])).toEqual(
      sheet.findings?.map(({ rule_id, file, line, severity }) => [rule_id, file, line, severity]),
    );
    expect(run?.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('my%20infra/main.tf');
    const rules = run?.tool.driver.rules ?? [];
    expect(run?.results.every(({ ruleId, ruleIndex }) => rules[ruleIndex]?.id === ruleId)).toBe(true);
    expect(rules[0]?.properties).toMatchObject({
      'security-severity': '8.0',
      tags: ['security', 'external/cwe/cwe-311'],
    });
    const prints = (results = run?.results) => results?.map((each) => each.partialFingerprints['salvoFinding/v1']);
    expect(new Set(prints()).size).toBe(sheet.findings?.length);
    await project.write('my infra/main.tf', `# a comment\n\n${DISK}${DATABASE}`);
    expect(prints(scanSarif(await scan()).runs[0]?.results)).toEqual(prints());
  });
});
