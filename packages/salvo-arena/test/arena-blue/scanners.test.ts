import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAlive } from '../../../../test/is-alive.ts';
import type { BlueTeam } from '../../src/blue/blue-team.ts';
import { BlueTeamError } from '../../src/blue/blue-team-error.ts';
import { checkTools } from '../../src/blue/scanners/check-tools.ts';
import { createCommandBlue, createScannerBlue } from '../../src/blue/scanners/scanner-blue.ts';
import { SCANNERS } from '../../src/blue/scanners/scanners.ts';
import { reportText } from '../match-import/report-fixture.ts';
import { BEHAVIOURS, type FakeScanners, fakeScanners } from './fake-scanner.ts';

const TERRAFORM = {
  'leaky-bucket.tf': '# the flaw is here\nresource "aws_s3_bucket" "data" {\n  bucket = "b" # unencrypted!\n}\n',
  'vulnerability_manifest.json': '{"vulnerabilities": [{"id": "1", "type": "encryption"}]}',
};
const TEMPLATE = { 'template.yaml': 'Resources:\n  Data:\n    Type: AWS::S3::Bucket\n' };

let fakes: FakeScanners;
/** Where copies of the code are made. */
let temporary: string;

beforeEach(async () => {
  fakes = await fakeScanners();
  temporary = await mkdtemp(join(tmpdir(), 'salvo-test-tmp-'));
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  expect(await readdir(temporary), 'copies that were not removed').toEqual([]);
  await rm(temporary, { recursive: true });
  await fakes[Symbol.asyncDispose]();
});

function scanner(name: string, options: { timeoutSeconds?: number; root?: string } = {}): BlueTeam {
  const found = SCANNERS.find((each) => each.name === name);
  if (!found) throw new Error(`no scanner ${name}`);
  return createScannerBlue(found, { env: fakes.env, root: fakes.folder, ...options });
}

async function command(behaviour: string, options: { timeoutSeconds?: number; grants?: string[] } = {}) {
  const program = await fakes.add('tool', behaviour);
  return createCommandBlue({ command: `'${program}' {dir}`, env: fakes.env, root: fakes.folder, ...options });
}

async function failure(blue: BlueTeam, signal?: AbortSignal): Promise<BlueTeamError> {
  const outcome = await blue.analyze({ files: TERRAFORM, signal }).catch((error: unknown) => error);
  if (!(outcome instanceof BlueTeamError)) throw new Error(`no BlueTeamError but ${JSON.stringify(outcome)}`);
  return outcome;
}

describe('a scanner', () => {
  it('reports real names and lines, with any exit code for findings', async () => {
    await fakes.add('checkov', BEHAVIOURS.checkov);
    const { findings, metadata } = await scanner('checkov').analyze({ files: TERRAFORM });
    expect(findings).toEqual([
      {
        source: 'checkov',
        type: '',
        rule_id: 'CKV_AWS_19',
        title: 'Ensure all data stored in the S3 bucket is securely encrypted at rest',
        description: 'seen in leaky-bucket.tf',
        resource: 'aws_s3_bucket.data',
        file: 'leaky-bucket.tf',
        line: 2,
        end_line: 4,
      },
    ]);
    expect(metadata).toMatchObject({ blue: 'checkov', mode: 'tools_only', model_calls: 0, cost_usd: 0 });
  });

  it('says how much it could not judge, also without a finding and with another exit code than 0', async () => {
    const line = { ruleId: 'AwsSolutions-EC23', resourceId: 'Ferry/Pier', compliance: 'UNKNOWN' };
    const report = JSON.stringify({ lines: [line] });
    const blue = await command(`process.stdout.write(${JSON.stringify(report)}); process.exitCode = 1;`);
    const { findings, metadata } = await blue.analyze({ files: TEMPLATE });
    expect(findings).toEqual([]);
    expect(metadata.dropped).toEqual([{ reason: 'the scanner could not judge it', count: 1 }]);
  });

  it('sees code only: no comments, no revealing names, no manifest, and none of our secrets', async () => {
    const blue = await command(BEHAVIOURS.spy);
    const { findings } = await blue.analyze({ files: TERRAFORM });
    expect(findings[0]).toMatchObject({
      file: 'leaky-bucket.tf',
      files: ['file-1.tf'],
      texts: ['\nresource "aws_s3_bucket" "data" {\n  bucket = "b"\n}\n'],
    });
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });

  it('receives the variables that it was granted', async () => {
    const blue = await command(BEHAVIOURS.spy, { grants: ['SALVO_SECRET'] });
    const { findings } = await blue.analyze({ files: TERRAFORM });
    expect(findings[0]?.env).toMatchObject({ SALVO_SECRET: 'hunter2' });
  });

  it('without findings is a valid result when the exit code is 0', async () => {
    expect((await (await command(BEHAVIOURS.clean)).analyze({ files: TERRAFORM })).findings).toEqual([]);
    expect(await failure(await command(BEHAVIOURS['clean but unhappy']))).toMatchObject({ code: 'SCANNER_FAILED' });
  });

  it('that ends with an error and without a report fails, with its stderr in the message', async () => {
    const error = await failure(await command(BEHAVIOURS.unhappy));
    expect(error.code).toBe('SCANNER_FAILED');
    expect(error.message).toMatch(/exit code 1 .*\n.*no module named boto/s);
    expect(error.message).not.toContain('\u001b');
  });

  it.each(['garbage', 'cut off'] as const)('whose report is %s fails', async (behaviour) => {
    expect(await failure(await command(BEHAVIOURS[behaviour]))).toMatchObject({ code: 'SCANNER_OUTPUT_INVALID' });
  });

  it('that never stops writing is stopped', async () => {
    const error = await failure(await command(BEHAVIOURS.megabytes));
    expect(error.code).toBe('SCANNER_OUTPUT_INVALID');
    expect(error.message).toMatch(/more than 32 MB/);
  });

  it('that hangs is stopped at its time limit', async () => {
    const error = await failure(await command(BEHAVIOURS.hang, { timeoutSeconds: 0.5 }));
    expect(error.code).toBe('SCANNER_TIMEOUT');
    expect(error.message).toMatch(/did not end within 0.5 s/);
  });

  it('is stopped with everything that it started when the signal is aborted', async () => {
    const controller = new AbortController();
    const failed = failure(await command(BEHAVIOURS['stubborn family']), controller.signal);
    await expect.poll(() => existsSync(join(fakes.folder, 'tool.pids'))).toBe(true);
    controller.abort(new Error('enough'));
    const error = await failed;
    expect(error).toMatchObject({ code: 'BLUE_ABORTED', cause: new Error('enough') });
    const pids = (await readFile(join(fakes.folder, 'tool.pids'), 'utf8')).split(' ').map(Number);
    expect(pids).toHaveLength(2);
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
    expect(await failure(await command(BEHAVIOURS.clean), AbortSignal.abort())).toMatchObject({ code: 'BLUE_ABORTED' });
  });

  it('that is not installed fails with instructions', async () => {
    const error = await failure(scanner('trivy'));
    expect(error.code).toBe('SCANNER_MISSING');
    expect(error.message).toMatch(/trivy is not on the PATH. Install it \(.*\), or set TRIVY_PATH/);
  });

  it('is found by its variable, which must name a program', async () => {
    fakes.env.CHECKOV_PATH = await fakes.add('elsewhere', BEHAVIOURS.checkov);
    expect((await scanner('checkov').analyze({ files: TERRAFORM })).findings).toHaveLength(1);
    fakes.env.CHECKOV_PATH = 'nowhere/checkov';
    expect((await failure(scanner('checkov'))).message).toMatch(
      /CHECKOV_PATH names nowhere\/checkov, which is not a program/,
    );
  });

  it('is refused for a language that it cannot read', async () => {
    await fakes.add('tfsec', BEHAVIOURS.clean);
    await expect(scanner('tfsec').analyze({ files: TEMPLATE })).rejects.toThrow(/reads terraform, not cloudformation/);
    await expect(scanner('tfsec').analyze({ files: TEMPLATE, language: 'terraform' })).rejects.toThrow(
      /no terraform code/,
    );
    await expect(scanner('tfsec').analyze({ files: { 'notes.json': '{}' } })).rejects.toThrow(/no Terraform or Cloud/);
  });

  it('may write its report to a file', async () => {
    const report = JSON.stringify(reportText('kics.json'));
    const behaviour = `fs.writeFileSync(args[args.indexOf('--output-path') + 1] + '/results.json', ${report}); console.log('progress');`;
    await fakes.add('kics', behaviour);
    const { findings } = await scanner('kics').analyze({ files: TERRAFORM });
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every(({ source }) => source === 'kics')).toBe(true);
    await fakes.add('kics', 'console.log("nothing written")');
    expect(await failure(scanner('kics'))).toMatchObject({ code: 'SCANNER_FAILED' });
  });

  it.each(['checkov', 'trivy', 'tfsec', 'semgrep', 'terrascan'])('can be %s', async (name) => {
    await fakes.add(name, `process.stdout.write(${JSON.stringify(reportText(`${name}.json`))}); process.exitCode = 1;`);
    const { findings } = await scanner(name).analyze({ files: TERRAFORM });
    expect(findings.length).toBeGreaterThan(0);
  });

  it('needs rules if it has none of its own', async () => {
    await fakes.add('cfn-guard', BEHAVIOURS.clean);
    await expect(scanner('cfn-guard').analyze({ files: TEMPLATE })).rejects.toThrow(/set CFN_GUARD_RULES/);
    await fakes.add('semgrep', BEHAVIOURS.clean);
    await expect(scanner('semgrep').analyze({ files: TEMPLATE })).rejects.toThrow(/set SEMGREP_RULES/);
  });

  it('cfn-guard can come from the npm package, with its rules', async () => {
    const folder = join(fakes.folder, 'node_modules/@cdklabs/cdk-validator-cfnguard');
    const platform = process.platform === 'darwin' ? 'macos' : 'ubuntu';
    const bin = join('bin', platform, process.arch === 'arm64' ? 'aarch64' : 'x86_64');
    await mkdir(join(folder, bin), { recursive: true });
    await mkdir(join(folder, 'rules/control-tower/cfn-guard'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"name": "@cdklabs/cdk-validator-cfnguard", "version": "1.0.0"}');
    const report = JSON.stringify(reportText('cfn-guard.json'));
    const body = `if (!args[args.indexOf('--rules') + 1].endsWith('control-tower/cfn-guard')) throw new Error('which rules?');`;
    const program = await fakes.add('guard', `${body}\nprocess.stdout.write(${report}); process.exitCode = 19;`);
    await writeFile(join(folder, bin, 'cfn-guard'), await readFile(program), { mode: 0o755 });
    const { findings } = await scanner('cfn-guard').analyze({ files: TEMPLATE });
    expect(findings.length).toBeGreaterThan(0);
  });
});

describe('a command', () => {
  it('needs a placeholder for the folder with the code', () => {
    const options = { env: fakes.env, root: fakes.folder };
    expect(() => createCommandBlue({ command: 'tool --json', ...options })).toThrow(/put \{dir\} where the folder/);
    expect(() => createCommandBlue({ command: 'tool "{dir}', ...options })).toThrow(/without its partner/);
  });

  it('is run without a shell', async () => {
    const program = await fakes.add('tool', BEHAVIOURS.spy);
    const line = `'${program}' --in={dir} {dir} '$(touch x); echo' | cat`;
    const blue = createCommandBlue({ command: line, env: fakes.env, root: fakes.folder });
    const { findings } = await blue.analyze({ files: TERRAFORM });
    expect(findings[0]?.args).toEqual([
      expect.stringMatching(/^--in=\//),
      expect.any(String),
      '$(touch x); echo',
      '|',
      'cat',
    ]);
  });

  it('that does not exist fails', async () => {
    const blue = createCommandBlue({ command: './nothing {dir}', env: fakes.env, root: fakes.folder });
    expect(await failure(blue)).toMatchObject({ code: 'SCANNER_MISSING' });
  });
});

describe('the tools', () => {
  it('are listed with their versions, and with what is missing', async () => {
    const path = await fakes.add('checkov', BEHAVIOURS.clean);
    await fakes.add('kics', BEHAVIOURS.clean);
    await fakes.add('semgrep', BEHAVIOURS.clean);
    await fakes.add('cfn-guard', BEHAVIOURS.clean);
    const tools = await checkTools({ env: fakes.env, root: fakes.folder });
    expect(tools.map(({ name }) => name)).toEqual(SCANNERS.map(({ name }) => name));
    const byName = (name: string) => tools.find((tool) => tool.name === name);
    expect(tools[0]).toEqual({
      name: 'checkov',
      available: true,
      version: '3.2.1',
      path,
      path_variable: 'CHECKOV_PATH',
      languages: ['terraform', 'cloudformation'],
      missing: null,
      lacks: [],
    });
    expect(byName('kics')?.lacks).toEqual([expect.stringContaining('set KICS_QUERIES_PATH')]);
    expect(byName('semgrep')).toMatchObject({
      available: true,
      languages: ['terraform'],
      lacks: [
        expect.stringContaining('downloads the rules p/terraform'),
        expect.stringContaining('no rules for cloud'),
      ],
    });
    expect(byName('cfn-guard')).toMatchObject({
      available: false,
      missing: expect.stringContaining('CFN_GUARD_RULES'),
    });
    expect(tools[1]).toMatchObject({
      name: 'trivy',
      available: false,
      path: null,
      missing: expect.stringMatching(/TRIVY_PATH/),
    });
  });
});
