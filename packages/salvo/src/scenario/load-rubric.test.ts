import { symlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { type ProjectFixture, projectFixture } from '../../../../test/project-fixture.ts';
import { loadRubric } from './checks/inspect-rubric.ts';
import { DiagnosticsError } from './diagnostics/diagnostics-error.ts';

const rubricFile = (fixture: ProjectFixture, name = '_rubric.yaml') =>
  loadRubric({ file: fixture.path(name), projectRoot: fixture.root });
const rubricOf = async (fixture: ProjectFixture, name?: string) => (await rubricFile(fixture, name)).criteria;

async function problems(files: Record<string, string>, name = '_rubric.yaml'): Promise<string[]> {
  await using fixture = await projectFixture(files);
  const error: unknown = await rubricOf(fixture, name).catch((thrown) => thrown);
  if (!(error instanceof DiagnosticsError)) throw new Error(`no diagnostics, but ${String(error)}`);
  return error.diagnostics.map(({ file, line, column, code }) => `${basename(file)}:${line}:${column} ${code}`);
}

test('a rubric is a list of criteria, or a map that has it under criteria', async () => {
  const lines = '- {name: polite, description: Says please.}\n- {name: short, description: One line., weight: 2}\n';
  await using fixture = await projectFixture({
    'list.yaml': lines,
    'map.yaml': `criteria:\n${lines}`,
    'list.json': '[{"name": "polite", "description": "Says please."}]',
  });
  const criteria = [
    { name: 'polite', description: 'Says please.', weight: 1 },
    { name: 'short', description: 'One line.', weight: 2 },
  ];
  expect(await rubricOf(fixture, 'list.yaml')).toEqual(criteria);
  expect(await rubricOf(fixture, 'map.yaml')).toEqual(criteria);
  expect(await rubricOf(fixture, 'list.json')).toEqual(criteria.slice(0, 1));
});

test('a map can say how its judge is asked', async () => {
  const criteria = 'criteria: [{name: a, description: x}]\n';
  await using fixture = await projectFixture({ '_rubric.yaml': `mode: decide\n${criteria}` });
  expect(await rubricFile(fixture)).toMatchObject({ mode: 'decide', criteria: [{ name: 'a' }] });
  expect(await problems({ '_rubric.yaml': `mode: guess\n${criteria}` })).toEqual(['_rubric.yaml:1:7 invalid-value']);
});

test('criteria have bands, binary and reference', async () => {
  await using fixture = await projectFixture({
    '_rubric.yaml':
      '- name: a\n  description: x\n  scale: {0: bad, 0.5: so-so, 1.0: good}\n- {name: b, description: x, binary: true, reference: !include ref.md}\n',
    'ref.md': 'As it should be.\n',
  });
  expect(await rubricOf(fixture)).toEqual([
    { name: 'a', description: 'x', weight: 1, scale: { '0': 'bad', '0.5': 'so-so', '1.0': 'good' } },
    { name: 'b', description: 'x', weight: 1, binary: true, reference: 'As it should be.\n' },
  ]);
});

test('a rubric can include others, and their problems are shown where they are', async () => {
  const files = {
    '_rubric.yaml': '- !include shared.yaml\n- {name: own, description: x}\n',
    'shared.yaml': 'name: shared\ndescription: x\nwieght: 2\n',
  };
  expect(await problems(files)).toEqual(['shared.yaml:3:1 unknown-key']);
  await using fixture = await projectFixture({ ...files, 'shared.yaml': 'name: shared\ndescription: x\n' });
  expect((await rubricOf(fixture)).map(({ name }) => name)).toEqual(['shared', 'own']);
});

test.each([
  ['no criteria', '[]', ['1:1 invalid-value']],
  ['nothing', '', ['1:1 empty-file']],
  ['something else', 'just words', ['1:1 wrong-type']],
  ['a key too many', 'criteria: [{name: a, description: x}]\nthreshold: 1\n', ['2:1 unknown-key']],
  ['a criterion without a description', '- name: a\n', ['1:3 missing-key']],
  ['an empty name', '- {name: " ", description: x}\n', ['1:10 invalid-value']],
  ['a negative weight', '- {name: a, description: x, weight: -1}\n', ['1:37 invalid-value']],
  [
    'all problems',
    '- {name: a, description: x, weight: -1}\n- {name: A}\n',
    ['1:37 invalid-value', '2:3 missing-key', '2:10 duplicate-criterion'],
  ],
  ['broken YAML', '- {name: a\n', ['2:1 yaml-syntax']],
])('%s in a rubric is reported with its position', async (_, text, expected) => {
  expect(await problems({ '_rubric.yaml': text })).toEqual(expected.map((place) => `_rubric.yaml:${place}`));
});

test('a rubric that includes itself is an error, not an endless loop', async () => {
  expect(await problems({ '_rubric.yaml': '- !include _rubric.yaml\n' })).toEqual(['_rubric.yaml:1:12 include-cycle']);
});

test('a file that does not exist, or is not YAML, is an error', async () => {
  expect(await problems({})).toEqual(['_rubric.yaml:1:1 missing-file']);
  expect(await problems({ 'rubric.md': '- a' }, 'rubric.md')).toEqual(['rubric.md:1:1 invalid-value']);
});

test('no rubric is read from outside the project, not even through a link', async () => {
  await using outside = await projectFixture({ 'rubric.yaml': '- {name: a, description: x}\n' });
  await using fixture = await projectFixture({ '_includes.yaml': `- !include ${outside.path('rubric.yaml')}\n` });
  await symlink(outside.path('rubric.yaml'), fixture.path('link.yaml'));
  const codes = async (file: string) => {
    const error: unknown = await loadRubric({ file, projectRoot: fixture.root }).catch((thrown) => thrown);
    return error instanceof DiagnosticsError ? error.diagnostics.map(({ code }) => code) : error;
  };
  expect(await codes(outside.path('rubric.yaml'))).toEqual(['outside-project']);
  expect(await codes(fixture.path('link.yaml'))).toEqual(['outside-project']);
  expect(await codes(fixture.path('_includes.yaml'))).toEqual(['outside-project']);
});
