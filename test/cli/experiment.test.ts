import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { restoreFile } from '../store/versions/restore-store.ts';
import { GATE, runCli } from './cli-fixture.ts';
import { storedGames } from './stored-games.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/experiment/experiment.yaml', import.meta.url));
/** A scanner behind a gate that finds nothing. */
const gatedScanner = `${GATE}\nconsole.log('[]');`;
/** Breaks until a file called \`repaired\` is there. */
const brokenScanner = `
import { existsSync } from 'node:fs';
if (!existsSync('repaired')) throw new Error('it broke');
console.log('[]');`;
const files = {
  'gated.mjs': gatedScanner,
  'broken.mjs': brokenScanner,
  'gated.yaml': `name: gated\ntasks: { sample: 4 }\nsize: 10\nblue: [rules, "command:node gated.mjs {dir}"]\nconcurrency: 2\nformat: salvo\n`,
  'broken.yaml': `name: broken\ntasks: { sample: 2 }\nsize: 10\nblue: [rules, "command:node broken.mjs {dir}"]\nformat: salvo\n`,
};

describe('an experiment that cannot be read', () => {
  const small = 'name: small\ntasks: { sample: 2 }\nsize: 10\nblue: [rules]\n';

  test('is one line of the list', async () => {
    await using project = await projectFixture({});
    const id = restoreFile('13-def6a915.sql', project.path('.salvo/salvo.db'), (database) =>
      String(database.prepare("UPDATE experiments SET record = '{' RETURNING experiment_id").get()?.experiment_id),
    );
    const { code, stderr } = await runCli(['experiment', '--list'], { cwd: project.root });
    expect(code).toBe(0);
    expect(stderr).toContain(`Experiment ${id} can't be read (it is no JSON).`);
  });

  test('or a game of it, is no reason to refuse the estimate of another', async () => {
    await using project = await projectFixture({ 'small.yaml': small });
    restoreFile('13-def6a915.sql', project.path('.salvo/salvo.db'), (database) =>
      expect(database.prepare("UPDATE games SET game = '{'").run().changes).toBeGreaterThan(0),
    );
    const { code, stderr } = await runCli(['experiment', 'small.yaml', '--estimate'], { cwd: project.root });
    expect([code, stderr]).toEqual([0, '']);
  });
});

test('a game that cannot be read is named, and the others are shown: it was neither scored nor is it missing', async () => {
  await using project = await projectFixture({
    'e.yaml': 'name: e\ntasks: { sample: 3 }\nsize: 10\nblue: [rules]\nseed: 1\n',
  });
  const { root: cwd } = project;
  await runCli(['experiment', 'e.yaml'], { cwd });
  const [, damaged] = await storedGames(project);
  const database = new DatabaseSync(project.path('.salvo/salvo.db'));
  database.prepare("UPDATE games SET game = '{' WHERE game_id = ?").run(damaged?.game_id ?? '');
  database.close();

  const shown = await runCli(['experiment', '--show', 'latest', '--csv', 'g.csv'], { cwd, env: { COLUMNS: '200' } });
  expect(shown.code).toBe(3);
  expect(shown.stdout).toContain('2 of 3 games scored, 1 could not be read');
  expect(shown.stdout).toContain(`The game ${damaged?.game_id} of the experiment`);
  const { games } = JSON.parse((await runCli(['experiment', '--show', 'latest', '--json'], { cwd })).stdout);
  expect(games).toMatchObject({ planned: 3, scored: 2, failed: 0, missing: 0, unreadable: [expect.any(String)] });
  const csv = await readFile(project.path('g.csv'), 'utf8');
  expect(csv).not.toContain(damaged?.game_id);
});

test('a game whose Blue broke is failed, not one without findings; --resume plays it again', async () => {
  await using project = await projectFixture(files);
  const broken = await runCli(['experiment', 'broken.yaml', '--json', '--csv', 'g.csv'], { cwd: project.root });
  expect(broken.code).toBe(3);
  const results = JSON.parse(broken.stdout);
  expect(results.games).toEqual({ planned: 4, scored: 2, failed: 2, missing: 0 });
  expect(results.blues.map(({ blue }: { blue: string }) => blue)).toEqual(['rules']);
  expect(results.failed[0]).toMatchObject({ failed_stage: 'blue', error: expect.stringContaining('it broke') });
  expect((await readFile(project.path('g.csv'), 'utf8')).trimEnd().split('\n').length).toBeGreaterThanOrEqual(5);

  await project.write('repaired', '');
  const resumed = await runCli(['experiment', '--resume', 'latest', '--json'], { cwd: project.root });
  expect(resumed.code).toBe(0);
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    games: { scored: 4, failed: 0 },
    comparisons: [{ first: 'rules', games: 2, only_second: 0 }],
  });
});

describe('the example', () => {
  test('is played offline, shown again unchanged, and in every format', async () => {
    const example = await readFile(EXAMPLE, 'utf8');
    await using project = await projectFixture({ 'e.yaml': `${example.trimEnd()}\nsize: 8\n` });
    const cwd = project.root;
    const played = await runCli(['experiment', 'e.yaml', '--json', '--quiet'], { cwd });
    expect(played.code).toBe(0);
    expect(played.stderr).toBe('');
    const targets = ['--csv', 'g.csv', '--markdown', 'm.md', '--latex', 't.tex'];
    const shown = await runCli(['experiment', '--show', 'latest', '--json', ...targets], { cwd });
    expect(shown).toMatchObject({ code: 0, stdout: played.stdout });
    expect(await readFile(project.path('t.tex'), 'utf8')).toContain('\\begin{tabular}');
    expect(await readFile(project.path('m.md'), 'utf8')).toContain('| rules |');
    const listed = await runCli(['experiment', '--list'], { cwd });
    expect(listed.stdout).toContain('rules against hiding');
  });

  test('is estimated without leaving anything behind', async () => {
    await using project = await projectFixture({ 'e.yaml': await readFile(EXAMPLE, 'utf8') });
    const { code, stdout } = await runCli(['experiment', 'e.yaml', '--estimate'], { cwd: project.root });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d+ games on \d+ pieces of code, no model call/);
    expect(existsSync(project.path('.salvo'))).toBe(false);
  });
});

describe('wrong input exits with 4 and leaves nothing behind', () => {
  test.each([
    ['no file at all', ['experiment'], 'Give a file to play'],
    ['a file and --resume', ['experiment', 'gated.yaml', '--resume', 'latest'], 'one of the three'],
    ['a file that does not exist', ['experiment', 'nothing.yaml'], 'nothing.yaml'],
    ['a file with a slip', ['experiment', 'slip.yaml'], 'slip.yaml:3:1'],
    ['a model without a key', ['experiment', 'model.yaml'], 'OPENAI_API_KEY'],
    ['a scanner that is not there', ['bench-scanner', 'kics'], 'kics is not on the PATH'],
    ['a scanner that is unknown', ['bench-scanner', 'magic'], 'There is no Blue Team "magic"'],
    ['a command without a folder', ['bench-scanner', 'my scanner'], '{dir}'],
    ['a report that has no place', ['experiment', 'gated.yaml', '--csv', 'gated.yaml/x.csv'], 'gated.yaml/x.csv'],
    ['nothing to resume', ['experiment', '--resume', 'latest'], 'No experiment is stored yet'],
  ])('%s', async (_, args, words) => {
    await using project = await projectFixture({
      ...files,
      'slip.yaml': 'name: n\ntasks: all\nbleu: [rules]\n',
      'model.yaml': 'name: n\ntasks: { sample: 1 }\nblue: [llm:gpt-5]\n',
    });
    const { code, stdout, stderr } = await runCli(args, { cwd: project.root, env: { PATH: '/nowhere' } });
    expect(stderr).toContain(words);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(existsSync(project.path('.salvo'))).toBe(false);
  });
});

describe('bench-scanner', () => {
  test('scores the embedded rules by category and language, and every figure can be checked', async () => {
    await using project = await projectFixture();
    const args = ['bench-scanner', 'rules', '--tasks', '2', '--language', 'both', '--jsonl', 'games.jsonl', '--json'];
    const { code, stdout } = await runCli(args, { cwd: project.root });
    expect(code).toBe(0);
    const card = JSON.parse(stdout);
    expect(card.games).toEqual({ planned: 12, scored: 12, failed: 0, missing: 0 });
    expect(card.overall.flaws).toBeGreaterThan(20);
    expect(card.overall.recall.value).toBeGreaterThan(card.overall.false_positive_rate.value);
    expect(card.categories.length).toBeGreaterThan(3);
    expect(card.languages).toMatchObject([{ language: 'terraform' }, { language: 'cloudformation' }]);
    const games = (await readFile(project.path('games.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const scores = games.map((game) => game.scores);
    const flaws = scores.flatMap(({ vulnerabilities }) => vulnerabilities);
    expect(flaws).toHaveLength(card.overall.flaws);
    for (const { weakness, resource, found, found_by } of flaws) {
      expect([typeof weakness, typeof resource, found_by !== null]).toEqual(['string', 'string', found]);
      if (found) expect(typeof found_by.rule).toBe('string');
    }
    expect(scores.reduce((sum, { clean_alarms }) => sum + clean_alarms.length, 0)).toBe(card.overall.alarms);
    const shown = await runCli(['experiment', '--show', 'latest'], { cwd: project.root });
    expect(shown.stdout).toContain('the mean J of');
  });

  test('takes any command; one that finds nothing scores 0', async () => {
    await using project = await projectFixture(files);
    const args = ['bench-scanner', 'node gated.mjs {dir}', '--format', 'salvo', '--tasks', '2', '--json'];
    const { code, stdout } = await runCli(args, { cwd: project.root });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ score: { value: 0 }, overall: { found: 0, alarms: 0 } });
  });
});

describe('with models', () => {
  /** Writes a public bucket as Red, with one flaw that is there and one that is not; as Blue it reports the bucket. */
  const adapter = `
import { appendFileSync } from 'node:fs';
const code = 'resource "aws_s3_bucket" "data" {\\n  bucket = "data"\\n  acl    = "public-read"\\n}\\n';
const flaw = { id: 'V1', type: 'public_access', title: 'public bucket', resource: 'aws_s3_bucket.data', attribute: 'acl',
  severity: 'high', description: 'Anybody can read the bucket.', technique: 'plain', evidence: 'acl    = "public-read"',
  file: 'main.tf', line: 3, rule_ids: [], source: 'novel' };
const lie = { ...flaw, id: 'V2', resource: 'aws_db_instance.main', evidence: 'publicly_accessible = true', line: 90 };
export default {
  providerName: () => 'fake',
  async sendTurn(messages, tools) {
    const isRed = tools.some(({ name }) => name === 'hand_in_code');
    appendFileSync(new URL('calls.txt', import.meta.url), isRed ? 'red\\n' : 'blue\\n');
    const call = isRed
      ? { name: 'hand_in_code', arguments: { files: [{ name: 'main.tf', content: code }], vulnerabilities: [flaw, lie] } }
      : { name: 'report_findings', arguments: { findings: [{ ...flaw, confidence: 1 }] } };
    return { content: null, tool_calls: [{ id: '1', ...call }], cost_usd: isRed ? 0.5 : 0.1, usage: null, finish_reason: 'tool_calls' };
  },
};`;
  const project = () =>
    projectFixture({
      'salvo.yaml': 'adapters: { fake: { type: module, path: ./adapter.mjs } }\n',
      'adapter.mjs': adapter,
      'e.yaml': 'name: models\ntasks: { sample: 4 }\nred: [llm:fake/m]\nblue: [llm:fake/m, rules]\nconcurrency: 1\n',
    });
  const callsOf = async (fixture: ProjectFixture, team: string) =>
    (await readFile(fixture.path('calls.txt'), 'utf8')).split('\n').filter((line) => line === team).length;

  test('code is paid for once for all Blues, false claims are counted separately, and the budget is kept over a resume', async () => {
    await using fixture = await project();
    const cwd = fixture.root;
    const first = await runCli(['experiment', 'e.yaml', '--budget-usd', '1.3', '--json'], { cwd });
    expect(first.stderr).toBe('');
    expect(first.code).toBe(3);
    const stopped = JSON.parse(first.stdout);
    expect(stopped.experiment).toMatchObject({ status: 'stopped', stop_reason: expect.stringContaining('budget') });
    expect(stopped.cost_usd.known).toBeLessThanOrEqual(1.3);
    expect(await callsOf(fixture, 'red')).toBe(2);

    const resumed = await runCli(['experiment', '--resume', 'latest', '--budget-usd', '9', '--json'], { cwd });
    expect(resumed.code).toBe(0);
    expect(await callsOf(fixture, 'red')).toBe(4);
    expect(await callsOf(fixture, 'blue')).toBe(4);
    const results = JSON.parse(resumed.stdout);
    expect(results.games).toMatchObject({ scored: 8, failed: 0 });
    expect(results.manifests).toMatchObject([
      { codes: 4, claimed: 8, confirmed: 4, phantoms: 4, accuracy: { value: 0.5 } },
    ]);
    expect(results.cost_usd).toMatchObject({ red: 2, judge: 0 });
    expect(results.cost_usd.known).toBeCloseTo(2.4);
    expect(results.blues[0]).toMatchObject({ blue: 'llm:fake/m', found: 4, vulnerabilities: 4 });
  });
});
