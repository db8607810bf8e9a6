import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readFindings } from '../../packages/salvo-arena/src/match/read-findings.ts';
import { projectFixture } from '../project-fixture.ts';
import { runCli, startCli } from './cli-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/judge-agent', import.meta.url));

const MANIFEST = JSON.stringify({
  vulnerabilities: [
    { id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data' },
    { id: 'v2', type: 'access_control', resource: 'aws_s3_bucket.data', file: 'main.tf', line: 7, severity: 'high' },
  ],
});
const FINDINGS = JSON.stringify([
  { type: 'encryption', resource: 'aws_s3_bucket.data', severity: 'HIGH' },
  { type: 'network', resource: 'aws_security_group.web', severity: 'MEDIUM' },
]);
const quickStart = () => projectFixture({ 'red.json': MANIFEST, 'blue.json': FINDINGS });
const BOTH = ['--red', 'red.json', '--blue', 'blue.json'];

describe('salvo score', () => {
  test('prints the metrics, what was found, what evaded, and the false alarms', async () => {
    await using project = await quickStart();
    const { code, stdout, stderr } = await runCli(['score', ...BOTH], { cwd: project.root });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Recall\s+50% .* 1 of 2 found/);
    expect(stdout).toMatch(/✔ v1 → finding 0 0\.9\d exact/);
    expect(stdout).toContain('evidence matcher, match from 0.55, exact from 0.7');
    expect(stdout).toContain('✖ v2 main.tf:7');
    expect(stdout).toContain('○ finding 1 medium network on aws_security_group.web');
  });

  test('gives the scores as the document that the library gives', async () => {
    await using project = await quickStart();
    const { stdout } = await runCli(['score', ...BOTH, '--json', '--out', 'scores.json'], { cwd: project.root });
    expect(JSON.parse(stdout)).toMatchObject({
      red: 'red.json',
      blue: 'blue.json',
      matcher: 'evidence',
      match_threshold: 0.55,
      true_positives: 1,
      false_positives: 1,
      false_negatives: 1,
      precision: 0.5,
      recall: 0.5,
      f1_score: 0.5,
      evasion_rate: 0.5,
      matches: [{ vulnerability_id: 'v1', finding_index: 0, match_type: 'exact' }],
      evaded: ['v2'],
      false_alarms: [1],
    });
    expect(await readFile(join(project.root, 'scores.json'), 'utf8')).toBe(stdout);
  });

  test('--matcher documented uses the formula of the library, with its threshold', async () => {
    await using project = await quickStart();
    const run = await runCli(['score', ...BOTH, '--matcher', 'documented', '--json'], { cwd: project.root });
    const [match] = JSON.parse(run.stdout).matches;
    expect(JSON.parse(run.stdout)).toMatchObject({ matcher: 'documented', match_threshold: 0.4, recall: 0.5 });
    expect(match.score).toBeCloseTo(0.8);
  });

  test.each([
    [['--min-recall', '50%', '--min-precision', '0.5', '--min-f1', '0.5'], 0],
    [['--min-recall', '0.6'], 1],
    [['--min-f1', '51%'], 1],
  ])('%j ends with %i', async (policy, code) => {
    await using project = await quickStart();
    const run = await runCli(['score', ...BOTH, ...policy], { cwd: project.root });
    expect(run).toMatchObject({ code, stderr: '' });
    expect(run.stdout.includes('is below')).toBe(code === 1);
  });

  test('reads a file that PowerShell wrote, in UTF-16', async () => {
    await using project = await projectFixture({ 'blue.json': FINDINGS });
    await writeFile(join(project.root, 'red.json'), `\ufeff${MANIFEST}`, 'utf16le');
    const run = await runCli(['score', ...BOTH, '--json'], { cwd: project.root });
    expect(JSON.parse(run.stdout)).toMatchObject({ true_positives: 1, false_negatives: 1 });
  });

  test('nothing against nothing could not be scored: exit 3', async () => {
    await using project = await projectFixture({ 'red.json': '[]', 'blue.json': '[]' });
    const run = await runCli(['score', ...BOTH], { cwd: project.root });
    expect(run.code).toBe(3);
    expect(run.stdout).toContain('there is nothing to score');
  });

  const EMPTY = { 'red.json': '[]', 'blue.json': '[]' };
  const MANY: { what: string; files: Record<string, string>; message: RegExp; more?: string[] }[] = [
    { what: 'a broken manifest', files: { ...EMPTY, 'red.json': '{"vulnerabilities": [' }, message: /red\.json:1:2\d/ },
    {
      what: 'a package.json',
      files: { ...EMPTY, 'blue.json': '{"name": "x", "dependencies": {}}' },
      message: /blue\.json/,
    },
    {
      what: 'a missing file',
      files: { 'red.json': '[]' },
      message: /blue\.json cannot be read: there is no such file/,
    },
    {
      what: 'a too high threshold',
      files: EMPTY,
      message: /'1\.5' is invalid/,
      more: ['--match-threshold', '1.5'],
    },
    {
      what: 'an output in a file',
      files: EMPTY,
      message: /is a file, not a folder/,
      more: ['--out', 'red.json/b.json'],
    },
    { what: 'an unknown format', files: EMPTY, message: /Allowed choices/, more: ['--format', 'x'] },
  ];
  test.each(MANY)('$what is wrong input: exit 4', async ({ files, message, more = [] }) => {
    await using project = await projectFixture(files);
    const run = await runCli(['score', ...BOTH, ...more], { cwd: project.root });
    expect(run).toMatchObject({ code: 4, stdout: '' });
    expect(run.stderr).toMatch(message);
    expect(run.stderr).not.toMatch(/\n {4}at /);
  });

  test('compares several reports in one table, and in Markdown and SARIF', async () => {
    await using project = await projectFixture({});
    await cp(EXAMPLE, project.root, { recursive: true });
    const args = ['--red', 'manifest.json', '--blue', 'checkov.json', 'trivy.json'];
    const run = await runCli(['score', ...args, '--markdown', 'm.md', '--sarif', 's.sarif'], { cwd: project.root });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^v2 +✔ +✖/m);
    expect(run.stdout).toMatch(/^v5 +✖ +✔/m);
    expect(await readFile(join(project.root, 'm.md'), 'utf8')).toMatch(/^\| v5 \| ❌ \| [✅🟡]/mu);
    // Our own importer reads it back: one result for each vulnerability that a Blue missed.
    const evaded = readFindings(await readFile(join(project.root, 's.sarif'), 'utf8'));
    expect(evaded.map(({ file, line }) => `${file}:${line}`)).toEqual(['main.tf:29', 'main.tf:52', 'main.tf:62']);
  });

  test('checks matches against tools, and false alarms against clean resources', async () => {
    await using project = await projectFixture({});
    await cp(EXAMPLE, project.root, { recursive: true });
    const args = ['--red', 'manifest.json', '--blue', 'trivy.json', '--json'];
    const run = await runCli(['score', ...args, '--tools', 'checkov.json', '--clean', 'clean.txt'], {
      cwd: project.root,
    });
    const { anchors, recall } = JSON.parse(run.stdout);
    expect(anchors.corroboration_rate).toBeCloseTo(2 / 3);
    expect(anchors.false_positive_rate).toBeCloseTo(1 / 3);
    expect(anchors.youden_j).toBeCloseTo(recall - 1 / 3);
  });

  test('--blue-twin decides which findings a flaw caused, and one report is needed for each Blue', async () => {
    const found = { rule_id: 'R1', type: 'encryption', resource: 'aws_s3_bucket.data', title: 'not encrypted' };
    const caused = { rule_id: 'R2', type: 'naming', resource: 'aws_s3_bucket.data', title: 'odd name' };
    const alarm = { rule_id: 'R3', type: 'network', resource: 'aws_security_group.web', title: 'wide open' };
    await using project = await projectFixture({
      'red.json': JSON.stringify([{ id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.data' }]),
      'blue.json': JSON.stringify([found, caused, alarm]),
      'twin.json': JSON.stringify([alarm]),
    });
    const run = (...more: string[]) => runCli(['score', ...BOTH, '--blue-twin', ...more], { cwd: project.root });
    const json = await run('twin.json', '--json', '--min-precision', '0.6');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      precision: 1 / 3,
      precision_by_twin: 0.5,
      precision_used: 'twin',
      in_twin: [2],
      consequences: [{ finding_index: 1, vulnerability_id: 'v1' }],
      gate: { messages: ['precision by the twin 0.500 is below 0.6'] },
    });
    const text = await run('twin.json', '--markdown', 'm.md');
    expect(text.stdout).toMatch(/Consequences of a flaw \(1\)\n +↳ finding 1 .*\n +v1: only in the flawed code/);
    expect(text.stdout).toMatch(/False alarms \(1\)\n +○ finding 2/);
    expect(await readFile(join(project.root, 'm.md'), 'utf8')).toContain(
      '<summary>Consequences of a flaw (1)</summary>',
    );
    const unequal = await run('twin.json', 'twin.json');
    expect(unequal).toMatchObject({ code: 4, stdout: '' });
    expect(unequal.stderr).toContain('--blue has one file and --blue-twin 2 files');
  });

  test('places a finding that has only a line in the block that contains it', async () => {
    await using project = await projectFixture({});
    await cp(EXAMPLE, project.root, { recursive: true });
    await using report = await projectFixture({
      'found.json': JSON.stringify([{ type: 'encryption', title: 'turned off', file: 'main.tf', line: 29 }]),
    });
    const found = join(report.root, 'found.json');
    const args = ['--red', 'manifest.json', '--blue', found, '--matcher', 'documented', '--json'];
    const without = await runCli(['score', ...args], { cwd: project.root });
    const placed = await runCli(['score', ...args, '--source', 'infra'], { cwd: project.root });
    expect(JSON.parse(without.stdout).true_positives).toBe(0);
    expect(JSON.parse(placed.stdout).matches).toMatchObject([{ vulnerability_id: 'v2', finding_index: 0 }]);
  });

  test('asks a model about unclear pairs, and leaves undecided what the model cannot decide: exit 3', async () => {
    const script = (score: number) => [
      { tool_calls: [{ name: 'score_criteria', arguments: { same_flaw: { reasoning: 'Both.', score } } }] },
    ];
    await using project = await projectFixture({
      'red.json': JSON.stringify([
        { id: 'v1', type: 'encryption', description: 'no key', resource: 'aws_s3_bucket.a' },
      ]),
      'blue.json': JSON.stringify([
        { type: 'storage', title: 'plain objects', resource: 'aws_s3_bucket.a', severity: 'low' },
      ]),
      'salvo.yaml': JSON.stringify({
        adapters: {
          yes: { type: 'scripted', script: script(1) },
          dead: { type: 'scripted', script: [{ error: { status: 400, message: 'no such model' } }] },
        },
      }),
    });
    const plain = await runCli(['score', ...BOTH, '--matcher', 'documented', '--json'], { cwd: project.root });
    expect(JSON.parse(plain.stdout).true_positives).toBe(0);
    const asked = await runCli(
      ['score', ...BOTH, '--matcher', 'documented', '--llm', 'yes=judge-1', '-k', '3', '--json'],
      { cwd: project.root },
    );
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(asked.stdout)).toMatchObject({ true_positives: 1, models: { asked: 1, undecided: 0 } });
    const lost = await runCli(['score', ...BOTH, '--matcher', 'documented', '--llm', 'dead=judge-1', '--json'], {
      cwd: project.root,
    });
    expect(lost.code).toBe(3);
    expect(JSON.parse(lost.stdout)).toMatchObject({ true_positives: 0, models: { asked: 1, undecided: 1 } });
  });

  test('is stopped by Ctrl-C while a model is asked, and then has scored nothing: exit 3', async () => {
    await using project = await projectFixture({
      'red.json': JSON.stringify([{ id: 'v1', type: 'encryption', resource: 'aws_s3_bucket.a' }]),
      'blue.json': JSON.stringify([{ type: 'storage', resource: 'aws_s3_bucket.a', severity: 'low' }]),
    });
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const env = { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
    const args = [
      'score',
      ...BOTH,
      '--matcher',
      'documented',
      '--match-threshold',
      '0.3',
      '--llm',
      'openai=judge-1',
      '--json',
    ];
    const { child, result } = startCli(args, { cwd: project.root, env });
    await Promise.race([once(silent, 'request'), result]);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await result;
    silent.closeAllConnections();
    silent.close();
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toBe('\nThe scoring was stopped, and nothing was written.\n');
  });
});
