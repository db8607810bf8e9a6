import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

test('red, blue and score together give what a game with the same seed gives', async () => {
  await using project = await projectFixture();
  const run = async (...words: string[]) => {
    const result = await runCli(words, { cwd: project.root });
    expect({ words, code: result.code, stderr: result.stderr }).toEqual({ words, code: 0, stderr: '' });
    return result.stdout;
  };
  const json = async (file: string) => JSON.parse(await readFile(project.path(file), 'utf8'));
  const setting = ['--seed', '11', '--difficulty', 'easy', '--strategy', 'blitz'];
  const [played, hidden] = await Promise.all([
    run('game', ...setting, '--out', 'game', '--json', '-q'),
    run('red', ...setting, '--out', 'side', '--json'),
  ]);
  expect(JSON.parse(hidden)).toMatchObject({ seed: 11, task: JSON.parse(played).task, phantoms: 0 });
  expect({ version: 1, ...(await json('side/red.json')) }).toEqual(JSON.parse(hidden));
  await run('blue', 'side', '--out', 'found.json');
  // A game also says of each finding whether the clean twin has it.
  const alone = (findings: Record<string, unknown>[]) => findings.map(({ in_twin, ...finding }) => finding);
  expect((await json('found.json')).findings).toEqual(alone(await json('game/findings.json')));
  expect(await json('side/scored_manifest.json')).toEqual(await json('game/scored_manifest.json'));
  await run('blue', 'side/twin', '--out', 'on-twin.json');
  const files = ['--red', 'side/scored_manifest.json', '--blue', 'found.json', '--blue-twin', 'on-twin.json'];
  const scored = JSON.parse(await run('score', ...files, '--matcher', 'evidence', '--json'));
  const { true_positives, recall, precision_by_twin } = await json('game/scores.json');
  expect(true_positives).toBeGreaterThan(0);
  expect(precision_by_twin).toBeGreaterThan(0);
  expect(scored).toMatchObject({ true_positives, recall, precision_by_twin });
});

test('scan, red, blue and tools end with the exit codes that they promise', async () => {
  await using project = await projectFixture({
    'aws/main.tf': 'resource "aws_ebs_volume" "disk" {\n  encrypted = false\n  kms_key_id = var.key\n}\n',
    'azure/main.tf': 'resource "azurerm_storage_account" "a" {\n  name = "a"\n}\n',
    'used/notes.txt': '',
  });
  const codeOf = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCli(words, { cwd: project.root, env: { PATH: '' } });
    expect(stderr).not.toMatch(/Internal error|\n {4}at /);
    return { code, stdout, stderr };
  };
  const results = await Promise.all([
    codeOf('scan', 'aws', '--sarif', 'out/a.sarif', '--json'),
    codeOf('scan', 'aws', '--fail-on', 'critical'),
    codeOf('scan', 'azure'),
    codeOf('scan', 'none'),
    codeOf('blue', 'azure'),
    codeOf('red', '--out', 'used', '--seed', '1'),
    codeOf('tools', '--json'),
    codeOf('red', '--out', 'a game', '--seed', '1'),
    codeOf('score', '--red', 'aws', '--blue', 'azure'),
  ]);
  expect(results.map(({ code }) => code)).toEqual([1, 0, 3, 4, 3, 4, 0, 0, 4]);
  // What Red wrote is scored by commands that can be copied.
  expect(results[7]?.stdout).toContain(
    "  salvo blue 'a game' --out findings.json\n  salvo blue 'a game/twin' --out twin_findings.json\n  salvo score --red 'a game/scored_",
  );
  expect(results[8]?.stderr).toBe(
    'aws cannot be read: it is a folder. Name the file in it, such as aws/scored_manifest.json.\n',
  );
  expect(JSON.parse(results[0]?.stdout ?? '')).toMatchObject({ status: 'failed', findings: [{ file: 'aws/main.tf' }] });
  expect(JSON.parse(await readFile(project.path('out/a.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
  expect(JSON.parse(results[6]?.stdout ?? '').tools).toContainEqual({
    name: 'trivy',
    available: false,
    version: null,
    path: null,
    path_variable: 'TRIVY_PATH',
    languages: [],
    missing: expect.stringContaining('set TRIVY_PATH'),
    lacks: [],
  });
});
