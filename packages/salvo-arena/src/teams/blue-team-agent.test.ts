import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeModels } from '../../../../test/fake-models.ts';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import { SCANNERS } from '../blue/scanners/scanners.ts';
import { createBlueTeamAgent } from './blue-team-agent.ts';

const CODE = 'resource "aws_db_instance" "db" {\n  storage_encrypted = false\n  publicly_accessible = true\n}\n';
const MODELS = fakeModels(() => ({
  tool_calls: [
    {
      id: '1',
      name: 'report_findings',
      arguments: {
        findings: [{ type: 'novel', title: 'A chain of trust', resource: 'aws_db_instance.db', severity: 'low' }],
      },
    },
  ],
}));

describe('a Blue Team agent', () => {
  it('uses the embedded rules by default', async () => {
    const { findings, metadata } = await createBlueTeamAgent().analyze({ code: CODE });
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every(({ file }) => file === 'main.tf')).toBe(true);
    expect(metadata).toMatchObject({ blue: 'rules', mode: 'tools_only', model_calls: 0 });
  });

  it('has the name that it plays a game with', () => {
    expect(createBlueTeamAgent().name).toBe('rules');
    expect(createBlueTeamAgent({ blue: ['rules', 'checkov'], model: 'm' }).name).toBe('rules+checkov+llm:m');
    expect(createBlueTeamAgent({ blue: 'checkov', model: 'm', mode: 'tools_only' }).name).toBe('checkov');
  });

  it('uses a model, tools, or both, depending on the mode', async () => {
    const agent = createBlueTeamAgent({ adapter: 'openai', model: 'm', models: MODELS });
    expect((await agent.analyze({ code: CODE, mode: 'tools_only' })).metadata.blue).toBe('rules');
    expect((await agent.analyze({ code: CODE, mode: 'llm_only' })).metadata.blue).toBe('llm:m');
    const both = await agent.analyze({ code: CODE, mode: 'hybrid' });
    expect(both.metadata).toMatchObject({ blue: 'rules+llm:m', mode: 'hybrid', model_calls: 1 });
    expect(both.findings.map(({ title }) => title)).toContain('A chain of trust');
  });

  it('without a mode uses all named teams', async () => {
    const mode = async (options: { blue?: string; model?: string }) =>
      (await createBlueTeamAgent({ models: MODELS, ...options }).analyze({ code: CODE })).metadata.mode;
    expect(await mode({ model: 'm' })).toBe('llm_only');
    expect(await mode({ blue: 'rules', model: 'm' })).toBe('hybrid');
    expect(await mode({ blue: 'hybrid:llm:m' })).toBe('hybrid');
    expect(await mode({ blue: 'rules' })).toBe('tools_only');
  });

  it('refuses invalid names, modes and techniques before it does anything', async () => {
    expect(() => createBlueTeamAgent({ blue: 'rule' })).toThrow(/Did you mean "rules"\?/);
    await expect(createBlueTeamAgent().analyze({ code: CODE, mode: 'llm_only' })).rejects.toThrow(/needs a model/);
    // @ts-expect-error: plain JavaScript may pass anything
    await expect(createBlueTeamAgent().analyze({ code: CODE, mode: 'both' })).rejects.toThrow(/no mode "both"/);
    await expect(createBlueTeamAgent().analyze({ files: {} })).rejects.toThrow(/no code/);
  });

  it('reads a folder, and does not follow links out of it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'salvo-blue-test-'));
    await mkdir(join(root, 'code'));
    await writeFile(join(root, 'secret.tf'), CODE);
    await writeFile(join(root, 'code', 'main.tf'), 'locals {\n  a = 1\n}\n');
    await symlink(join(root, 'secret.tf'), join(root, 'code', 'link.tf'));
    const agent = createBlueTeamAgent();
    expect((await agent.analyzeDirectory(join(root, 'code'))).findings).toEqual([]);
    await rm(join(root, 'code', 'main.tf'));
    await expect(agent.analyzeDirectory(join(root, 'code'))).rejects.toThrow(/no infrastructure code in/);
    await rm(root, { recursive: true });
  });

  it('reports an invalid folder or language as a BlueTeamError', async () => {
    const agent = createBlueTeamAgent();
    await expect(agent.analyzeDirectory('/no/such/folder')).rejects.toBeInstanceOf(BlueTeamError);
    const request = { code: 'locals {\n  a = 1\n}\n', language: 'bicep' };
    // @ts-expect-error: plain JavaScript may pass anything
    await expect(agent.analyze(request)).rejects.toMatchObject({ code: 'OPTIONS_INVALID' });
  });

  it('names the file after the kind of code', async () => {
    const template =
      'Resources:\n  Db:\n    Type: AWS::RDS::DBInstance\n    Properties:\n      StorageEncrypted: false\n';
    const { findings } = await createBlueTeamAgent().analyze({ code: template });
    expect(new Set(findings.map(({ file }) => file))).toEqual(new Set(['template.yaml']));
  });

  it('lists the scanners', async () => {
    const tools = await createBlueTeamAgent({ env: { PATH: '' } }).checkTools();
    expect(tools.map(({ name }) => name)).toEqual(SCANNERS.map(({ name }) => name));
    expect(tools.filter(({ available }) => available)).toEqual([]);
  });
});
