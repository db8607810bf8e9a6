import { mkdir, symlink } from 'node:fs/promises';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { findScenarioFiles, matchesTags } from './find-scenario-files.ts';

async function find(files: string[], patterns: string[], cwd = '.') {
  await using fixture = await projectFixture(Object.fromEntries(files.map((file) => [file, 'prompt: hi'])));
  const found = await findScenarioFiles({
    patterns,
    project: { ...(await projectOf(fixture.root)) },
    cwd: fixture.path(cwd),
  });
  return found.map((file) => relative(fixture.root, file));
}

async function projectOf(root: string) {
  const { projectSchema } = await import('./schema/project-schema.ts');
  return { root, file: null, config: projectSchema.parse({}) };
}

const files = [
  'scenarios/b.yaml',
  'scenarios/a.yml',
  'scenarios/deep/c.yaml',
  'scenarios/_fragment.yaml',
  'scenarios/_parts/d.yaml',
  'scenarios/.hidden/e.yaml',
  'scenarios/node_modules/f.yaml',
  'scenarios/salvo.yaml',
  'scenarios/notes.md',
  'other/g.yaml',
];
const below = ['scenarios/a.yml', 'scenarios/b.yaml', 'scenarios/deep/c.yaml'];

test('without a pattern the folder of the project is searched, fragments and hidden folders left out', async () => {
  expect(await find(files, [])).toEqual(below);
});

test('files, folders and globs are found from the working directory, in the order given, each file once', async () => {
  expect(await find(files, ['scenarios', 'scenarios/b.yaml', 'other/*.yaml'])).toEqual([...below, 'other/g.yaml']);
  expect(await find(files, ['scenarios/**/*.yaml'])).toEqual(['scenarios/b.yaml', 'scenarios/deep/c.yaml']);
  expect(await find(files, ['../other'], 'scenarios')).toEqual(['other/g.yaml']);
});

test('a file that is named explicitly may have any name', async () => {
  expect(await find(files, ['scenarios/_fragment.yaml'])).toEqual(['scenarios/_fragment.yaml']);
});

test('a folder whose name looks like a glob is taken literally', async () => {
  expect(await find(['[x]/a.yaml'], ['[x]'])).toEqual(['[x]/a.yaml']);
  expect(await find(['[x]/a.yaml', '[x]/b.yaml'], ['*.yaml'], '[x]')).toEqual(['[x]/a.yaml', '[x]/b.yaml']);
});

test('a pattern that matches nothing is an error that names it', async () => {
  await expect(find(files, ['scenarios', 'nope/*.yaml'])).rejects.toThrow(/"nope\/\*\.yaml"/);
  await expect(find(files, ['missing.yaml'])).rejects.toMatchObject({ code: 'SCENARIOS_MISSING' });
  await expect(find([], [])).rejects.toThrow(/salvo init/);
});

test.each([
  ['bok.yaml', 'Did you mean scenarios/book.yaml?'],
  ['scenarios/bok.yaml', 'Did you mean scenarios/book.yaml?'],
  ['scenaros/book.yaml', 'Did you mean scenarios/book.yaml?'],
  ['scenarios/book.yml', 'Did you mean scenarios/book.yaml?'],
  ['book', 'A file of that name is scenarios/book.yaml: use that path.'],
  ['table', 'A file of that name is scenarios/deep/table.yaml (scenario Book a table): use that path.'],
  ['Book a table', 'A scenario of that name is in scenarios/deep/table.yaml: use that path.'],
  ['tabel', 'Did you mean scenarios/deep/table.yaml?'],
  ['here.yml', 'Did you mean here.yaml?'],
  ['nothing-like-it', 'There are here.yaml, scenarios/book.yaml, scenarios/broken.yaml and Book a table.'],
])('a file or scenario that is nearly called %s is suggested', async (pattern, expected) => {
  await using fixture = await projectFixture({
    'here.yaml': 'prompt: hi',
    'scenarios/book.yaml': 'prompt: hi',
    'scenarios/broken.yaml': '{',
    'scenarios/deep/table.yaml': 'name: Book a table\nprompt: hi',
  });
  const found = findScenarioFiles({ patterns: [pattern], project: await projectOf(fixture.root), cwd: fixture.root });
  await expect(found).rejects.toThrow(
    `No scenario file matches ${JSON.stringify(pattern)}, looked for from ${fixture.root}. ${expected}`,
  );
});

test.each(['nowhere/x.yaml', '*.yml', 'x'.repeat(5000)])('nothing is suggested for %j', async (pattern) => {
  await expect(find(files, [pattern])).rejects.toThrow(/looked for from \S+\.$/);
});

test('symlinks that form a cycle are not followed', async () => {
  await using fixture = await projectFixture({ 'scenarios/a.yaml': 'prompt: hi' });
  await mkdir(fixture.path('scenarios/sub'));
  await symlink(fixture.path('scenarios'), fixture.path('scenarios/sub/loop'));
  const found = await findScenarioFiles({ patterns: [], project: await projectOf(fixture.root), cwd: fixture.root });
  expect(found).toEqual([fixture.path('scenarios/a.yaml')]);
});

test('a scenario without the wanted tag does not match, and every one matches when none is wanted', () => {
  expect(matchesTags(undefined, [])).toBe(true);
  expect(matchesTags(undefined, ['fast'])).toBe(false);
  expect(matchesTags(['slow'], ['fast'])).toBe(false);
});

test('all wanted tags must be present', () => {
  expect(matchesTags(['fast', 'tier=1'], ['fast', 'tier=1'])).toBe(true);
  expect(matchesTags(['fast'], ['fast', 'tier=1'])).toBe(false);
});

test('an entry of a map matches by its key, or by key=value', () => {
  const tags = { tier: 1, fast: true, flaky: false, team: 'a=b' };
  expect(matchesTags(tags, ['tier=1', 'fast', 'tier', 'team=a=b'])).toBe(true);
  expect(matchesTags(tags, ['tier=2'])).toBe(false);
  expect(matchesTags(tags, ['flaky'])).toBe(false);
  expect(matchesTags(tags, ['toString'])).toBe(false);
});
