import { mkdir, symlink } from 'node:fs/promises';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { projectFixture } from '../../test/project-fixture.ts';
import { findScenarioFiles } from './find-scenario-files.ts';

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

test('a file that is named is taken at its word', async () => {
  expect(await find(files, ['scenarios/_fragment.yaml'])).toEqual(['scenarios/_fragment.yaml']);
});

test('a folder whose name looks like a glob is itself', async () => {
  expect(await find(['[x]/a.yaml'], ['[x]'])).toEqual(['[x]/a.yaml']);
  expect(await find(['[x]/a.yaml', '[x]/b.yaml'], ['*.yaml'], '[x]')).toEqual(['[x]/a.yaml', '[x]/b.yaml']);
});

test('a pattern that matches nothing is an error that names it', async () => {
  await expect(find(files, ['scenarios', 'nope/*.yaml'])).rejects.toThrow(/"nope\/\*\.yaml"/);
  await expect(find(files, ['missing.yaml'])).rejects.toMatchObject({ code: 'NO_SCENARIOS' });
  await expect(find([], [])).rejects.toThrow(/salvo init/);
});

test('symlinks that lead in circles are not followed', async () => {
  await using fixture = await projectFixture({ 'scenarios/a.yaml': 'prompt: hi' });
  await mkdir(fixture.path('scenarios/sub'));
  await symlink(fixture.path('scenarios'), fixture.path('scenarios/sub/loop'));
  const found = await findScenarioFiles({ patterns: [], project: await projectOf(fixture.root), cwd: fixture.root });
  expect(found).toEqual([fixture.path('scenarios/a.yaml')]);
});
