import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { migrateProject } from '../../packages/salvo/src/app/migrate/migrate-project.ts';
import { runCli } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';
import { triedOf } from '../thorough.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/promptfoo', import.meta.url));

/** Scenarios, rows that were written of those that were read, and how many parts were left out. */
const TABLE = `
assert-sets        1 scenario   3/3 rows  complete
chat-prompts       1 scenario   1/1 rows  complete
code-config        1 scenario   2/2 rows  complete
csv                1 scenario   5/5 rows  complete
custom-provider    1 scenario   1/1 rows  complete
file-javascript    1 scenario   2/2 rows  complete
gaps               1 scenario   1/4 rows  6 left out
http-provider      1 scenario   1/1 rows  complete
inline-javascript  1 scenario   8/8 rows  complete
json               1 scenario   5/5 rows  complete
jsonl              1 scenario   3/3 rows  complete
judged             1 scenario   1/1 rows  complete
looking            2 scenarios  2/2 rows  complete
matrix             1 scenario   1/1 rows  complete
measures           1 scenario   8/8 rows  complete
negations          1 scenario   3/3 rows  complete
overrides          3 scenarios  2/2 rows  complete
prompt-files       1 scenario   1/1 rows  complete
prompt-function    1 scenario   1/1 rows  complete
python             1 scenario   3/3 rows  complete
references         1 scenario   1/1 rows  complete
refusals           1 scenario   2/2 rows  complete
scenarios          1 scenario   4/4 rows  complete
settings           2 scenarios  1/1 rows  complete
simple             1 scenario   2/2 rows  complete
templates          1 scenario   2/2 rows  complete
texts              1 scenario   6/6 rows  complete
thresholds         1 scenario   3/3 rows  complete
tools              1 scenario   1/1 rows  complete
transforms         1 scenario   2/2 rows  complete
var-files          1 scenario   2/2 rows  complete
var-lists          1 scenario   4/4 rows  complete
`;

it('makes a valid project of each form of config, and names what is left out', async () => {
  await using project = await projectFixture();
  const lines: string[] = [];
  const names = readdirSync(FIXTURES).sort();
  const lineOf = Object.fromEntries(
    TABLE.trim()
      .split('\n')
      .map((line) => [line.split(' ')[0], line]),
  );
  expect(Object.keys(lineOf)).toEqual(names);
  const some = [...new Set([...triedOf(names), 'gaps', 'settings'])];
  for (const name of some) {
    const cwd = join(FIXTURES, name);
    const { scenarios, rows, left_out } = await migrateProject({ tool: 'promptfoo', cwd, out: project.path(name) });
    const count = `${scenarios} scenario${scenarios === 1 ? ' ' : 's'}`;
    const gaps = left_out.length === 0 ? 'complete' : `${left_out.length} left out`;
    lines.push(`${name.padEnd(17)}  ${count}  ${rows.written}/${rows.read} rows  ${gaps}`);
  }
  expect(lines).toEqual(some.map((name) => lineOf[name]));
  const written = await readFile(project.path('settings/scenarios/settings-2.yaml'), 'utf8');
  expect(written).toContain('temperature: 1');
  const all = await readdir(project.path('settings'), { recursive: true, withFileTypes: true });
  for (const each of all.filter((entry) => entry.isFile())) {
    expect(await readFile(join(each.parentPath, each.name), 'utf8')).not.toContain('not-a-real-key');
  }
}, 30_000);

const HOSTILE: [string, Record<string, string>, string][] = [
  ['an empty file', { 'promptfooconfig.yaml': '' }, 'this is no config of promptfoo'],
  ['another file', { 'promptfooconfig.yaml': 'a: 1' }, 'this is no config of promptfoo'],
  ['broken YAML', { 'promptfooconfig.yaml': 'prompts: [a\nproviders: [b' }, 'promptfooconfig.yaml:2'],
  [
    'a path that leads out',
    { 'promptfooconfig.yaml': 'prompts: [file://../../etc/passwd.txt]\nproviders: [echo]' },
    'is outside of',
  ],
  ['a missing file', { 'promptfooconfig.yaml': 'prompts: [a]\nproviders: [echo]\ntests: file://no.csv' }, 'no.csv'],
  [
    'a reference to itself',
    { 'promptfooconfig.yaml': 'prompts: [a]\nproviders: [echo]\nx: { $ref: "#/y" }\ny: { $ref: "#/x" }' },
    'leads back to itself',
  ],
  [
    'a bomb of aliases',
    {
      'promptfooconfig.yaml': `a: &a [x, x, x, x, x, x, x, x, x]\n${[...'bcdefghi'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[at]}`).join(', ')}]`).join('\n')}\nprompts: *i\nproviders: [echo]`,
    },
    'too large',
  ],
  [
    'combinations without an end',
    {
      'promptfooconfig.yaml': `prompts: [a]\nproviders: [echo]\ntests: [{ vars: { ${[...'abcdefgh'].map((name) => `${name}: [1,2,3,4,5,6,7,8,9]`).join(', ')} } }]`,
    },
    'combinations',
  ],
  [
    'a red-team config',
    { 'promptfooconfig.yaml': 'targets: [echo]\nredteam: { plugins: [harmful] }' },
    'Red teaming is not supported',
  ],
  [
    'tests that are all gaps',
    { 'promptfooconfig.yaml': 'prompts: [a]\nproviders: [echo]\ntests: [{ assert: [{ type: moderation }] }]' },
    'no test of this config can be translated',
  ],
];

it.each(HOSTILE)('refuses %s, and writes nothing', async (_, files, problem) => {
  await using project = await projectFixture(files);
  const { code, stderr, stdout } = await runCli(['import', 'promptfoo', '--out', 'out'], { cwd: project.root });
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toContain(problem);
  expect((await readdir(project.root)).sort()).toEqual(Object.keys(files).sort());
});

it('does not follow a link out of the folder, and executes no code with --no-code', async () => {
  const config = 'prompts: [file://link.txt]\nproviders: [echo]';
  await using project = await projectFixture({ 'a/promptfooconfig.yaml': config, 'secret.txt': 'secret' });
  await symlink('../secret.txt', project.path('a/link.txt'));
  const linked = await runCli(['import', 'promptfoo', '--out', 'out'], { cwd: project.path('a') });
  expect(linked).toMatchObject({ code: 4 });
  expect(linked.stderr).toContain('is outside of');
  await project.write('b/promptfooconfig.mjs', "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\n");
  const refused = await runCli(['import', 'promptfoo', '--out', 'out', '--no-code'], { cwd: project.path('b') });
  expect(refused).toMatchObject({ code: 4 });
  expect(existsSync(project.path('b/ran'))).toBe(false);
});

it('overwrites a folder only with --force, and is strict about gaps', async () => {
  await using project = await projectFixture({ 'out/mine.txt': 'mine' });
  const config = ['import', 'promptfoo', join(FIXTURES, 'gaps/promptfooconfig.yaml'), '--out', 'out'];
  expect((await runCli(config, { cwd: project.root })).stderr).toContain('out exists and is not empty');
  expect((await runCli([...config, '--force', '--strict'], { cwd: project.root })).stderr).toContain(
    'would be left out',
  );
  expect(await readdir(project.path('out'))).toEqual(['mine.txt']);
  expect((await runCli([...config, '--force', '--dry-run'], { cwd: project.root })).stdout).toContain(
    'Would write out',
  );
  const { code, stdout } = await runCli([...config, '--force', '--json'], { cwd: project.root });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    tool: 'promptfoo',
    complete: false,
    rows: { read: 4, written: 1 },
  });
  expect((await readdir(project.path('out'))).sort()).toEqual(['mine.txt', 'salvo.yaml', 'scenarios']);
});
