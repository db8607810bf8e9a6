import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { playNamedTeams } from '../../../app/games/play-game.ts';
import { createRulesBlue } from '../../../blue/rules/rules-blue.ts';
import { runRules } from '../../../blue/rules/run-rules.ts';
import { type OwnCode, readOwnCode } from '../../../code/own-code.ts';
import { checkManifest } from '../../../gate/check-manifest.ts';
import { createRulesChecker } from '../../../gate/create-rules-checker.ts';
import { parseCode } from '../../../iac/syntax/parse-code.ts';
import { DIFFICULTIES } from '../../../tasks/game-settings.ts';
import { createRedTeamAgent } from '../../../teams/red-team-agent.ts';
import { findingKey } from './finding-key.ts';
import { listResources, usableLanguage } from './own-code-use.ts';
import { secureOwnCode } from './secure-own-code.ts';

const MODULE = fileURLToPath(new URL('../../../../../../examples/own-module', import.meta.url));

const own = (files: Record<string, string>): OwnCode => ({
  ...{ name: 'own', source: 'own', task: 'own', hash: '', skipped: [] },
  files,
});

const BUCKET = `resource "aws_sqs_queue" "jobs" {
  name              = "jobs"
  kms_master_key_id = "alias/jobs"
}

resource "aws_db_instance" "orders" {
  storage_encrypted       = true
  publicly_accessible     = false
  backup_retention_period = 14
  deletion_protection     = true
}
`;

it.each(DIFFICULTIES)('plants proven flaws in a module that is no template: %s', async (difficulty) => {
  const { played } = await playNamedTeams({ template: MODULE, difficulty, seed: 1, blue: createRulesBlue() });
  const { game, red, scored } = played;
  expect(game).toMatchObject({ status: 'scored', template: 'own-module', phantoms: 0, language: 'terraform' });
  expect(game.task).toMatch(/^Order service: /);
  expect(scored.length).toBeGreaterThan(1);
  expect(red?.metadata.own_code).toMatchObject({ resources: 44 });
  const original = await readOwnCode(MODULE);
  const before = new Set(runRules(await parseCode(original.files), { reach: 'full' }).map(findingKey));
  const twin = await parseCode(red?.metadata.twin ?? {});
  const added = runRules(twin, { reach: 'full' }).filter((finding) => !before.has(findingKey(finding)));
  // In a hard game, Red adds resources: a database is in no backup plan as soon as there is one. This is no false alarm.
  const present = (red?.metadata.present_before ?? []).map(({ weakness, resource }) => `${weakness} ${resource}`);
  const unlisted = added.filter(({ rule_ids, resource }) => !present.includes(`${rule_ids?.[0]} ${resource}`));
  expect(difficulty === 'hard' ? unlisted : added).toEqual([]);
  // The gate reads the code again, and knows nothing of how it was made.
  const { entries } = await checkManifest({
    files: red?.files ?? {},
    vulnerabilities: scored,
    checker: await createRulesChecker(red?.files ?? {}),
  });
  expect(entries.filter(({ status }) => status === 'phantom')).toEqual([]);
  for (const { file, resource } of scored) expect(red?.files[file ?? '']).toContain(String(resource).split('.').at(-1));
  expect(await readFile(`${MODULE}/environments/prod/main.tf`, 'utf8')).toBe(
    original.files['environments/prod/main.tf'],
  );
});

it('says which resources it can use, and why not the others', async () => {
  const code = own({
    'main.tf': `${BUCKET}resource "null_resource" "a" {}\nresource "aws_ebs_volume" "off" {\n  count     = 0\n  encrypted = true\n}\n`,
    'broken.tf': 'resource "aws_kms_key" "k" {\n  enable_key_rotation = true\n',
  });
  const { list, usable, resources, notes } = await listResources(code, await secureOwnCode(code));
  expect({ usable, resources }).toEqual({ usable: 2, resources: list.length });
  const why = new Map(list.map(({ address, why_not }) => [address, why_not]));
  expect(why.get('aws_db_instance.orders')).toBeNull();
  expect(why.get('null_resource.a')).toMatch(/^no flaw of this type/);
  expect(why.get('aws_ebs_volume.off')).toMatch(/^it is not created/);
  expect(notes.join()).toContain('broken.tf:1:1');
});

it('keeps line ends, files that cannot be read, and everything that is not infrastructure', async () => {
  const files = {
    'main.tf': BUCKET.replaceAll('\n', '\r\n'),
    'broken.tf': 'resource "x" {\n',
    'values.json': '{"a": 1}',
  };
  const red = await createRedTeamAgent().generate({ template: own(files), seed: 1, difficulty: 'easy' });
  for (const code of [red.files, red.metadata.twin ?? {}]) {
    expect(code).toMatchObject({ 'broken.tf': files['broken.tf'], 'values.json': files['values.json'] });
    expect(code['main.tf']).not.toMatch(/[^\r]\n/);
  }
  expect(red.files['main.tf']).not.toBe(files['main.tf']);
});

it('plants nothing that is weak already, and lists it as present before', async () => {
  const open = BUCKET.replace('storage_encrypted       = true', 'storage_encrypted       = false');
  for (const seed of [1, 2, 3]) {
    const red = await createRedTeamAgent().generate({ template: own({ 'main.tf': open }), seed, difficulty: 'easy' });
    const unencrypted = { weakness: 'rds-instance-unencrypted', resource: 'aws_db_instance.orders' };
    expect(red.metadata.present_before).toContainEqual(unencrypted);
    expect(red.vulnerabilities.map(({ weakness }) => weakness)).not.toContain(unencrypted.weakness);
  }
});

it('reads templates in JSON and plants easy flaws in them', async () => {
  const template = {
    Resources: { Jobs: { Type: 'AWS::SQS::Queue', Properties: { KmsMasterKeyId: 'alias/jobs', QueueName: 'jobs' } } },
  };
  const code = own({ 'stack.json': JSON.stringify(template, null, 2) });
  expect(await usableLanguage(code)).toBe('cloudformation');
  const red = await createRedTeamAgent().generate({ template: code, difficulty: 'easy' });
  expect(JSON.parse(red.files['stack.json'] ?? '')).not.toEqual(template);
});

it.each([
  ['nothing to edit', { 'main.tf': 'locals {}\n' }],
  ['no resource of a known type', { 'main.tf': 'resource "null_resource" "a" {}\n' }],
  ['only errors', { 'main.tf': 'resource {{{' }],
])('refuses code with %s', async (_, files) => {
  await expect(usableLanguage(own(files))).rejects.toMatchObject({ code: 'TEMPLATE_UNUSABLE' });
});

it('refuses a model as Red', async () => {
  await expect(playNamedTeams({ template: MODULE, red: 'llm:gpt-5' })).rejects.toMatchObject({
    code: 'OPTIONS_INVALID',
  });
});
