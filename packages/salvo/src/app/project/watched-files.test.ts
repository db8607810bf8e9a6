import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { askedFor, touchedScenarios, watchedFiles } from './watched-files.ts';

const FILES = {
  'salvo.yaml': `plugins: [./plugin.ts]\nhooks: ./hooks.ts\nenv_file: .env\nadapters:\n  own: { type: module, path: agents/own.ts }\n`,
  'plugin.ts': `import './lib/shared.ts';`,
  'hooks.ts': '',
  '.env': '',
  'lib/shared.ts': '',
  'lib/word.ts': '',
  'agents/own.ts': `export { word } from '../lib/word.ts';\nimport { price } from '@lib/price';\nimport tax from 'tax';`,
  'tsconfig.json': `{ "extends": "./tsconfig.base" }`,
  'tsconfig.base.json': `{\n  // aliases\n  "compilerOptions": { "baseUrl": "src", "paths": { "@lib/*": ["gone/*", "./lib/*",], "tax": ["tax/index.ts"], /* no more */ } }\n}`,
  'src/lib/price.ts': `export * from '@lib/rates.js';`,
  'src/lib/rates.ts': '',
  'src/tax/index.ts': '',
  'agents/program.py': '',
  'rows.csv': 'a\n1\n',
  'rubric.yaml': '- { name: a, description: b }',
  'prompt.md': 'See lib/word.ts.',
  'scenarios/a.yaml': `prompt: !include ../prompt.md\ndata: ../rows.csv\nadapter: own\n`,
  'scenarios/b.yaml': `prompt: hi\nadapter: exec:python3 agents/program.py\nassertions: [{type: judge, rubric: ../rubric.yaml}]\n`,
  'scenarios/c.scenario.ts': `import { word } from "../lib/word.ts";\nexport default { prompt: word, data: '../rows.csv' };\n`,
  'scenarios/broken.yaml': 'prompt: [\n',
};

async function touchedBy(changed: string, files: string[] = []): Promise<string[]> {
  await using project = await projectFixture(FILES);
  const watched = await watchedFiles({ cwd: project.root, files });
  return touchedScenarios(watched, new Set([project.path(changed)])).map((file) => relative(project.root, file));
}

const A = 'scenarios/a.yaml';
const B = 'scenarios/b.yaml';
const C = 'scenarios/c.scenario.ts';
const BROKEN = 'scenarios/broken.yaml';

test.each<[string, string, string[]]>([
  ['a scenario', 'scenarios/a.yaml', [A]],
  ['what its agent imports by an alias', 'src/lib/price.ts', [A]],
  ['what that imports by an alias', 'src/lib/rates.ts', [A]],
  ['what an alias without a star stands for', 'src/tax/index.ts', [A]],
  ['the file that has the aliases', 'tsconfig.base.json', [A]],
  ['a scenario with errors', 'scenarios/broken.yaml', [BROKEN]],
  ['a file that is included', 'prompt.md', [A]],
  ['a data file', 'rows.csv', [A, C]],
  ['a rubric', 'rubric.yaml', [B]],
  ['the program of an agent', 'agents/program.py', [B]],
  ['the module of a named adapter', 'agents/own.ts', [A]],
  ['what modules import', 'lib/word.ts', [A, C]],
  ['a file that nothing names', 'README.md', []],
  ...['salvo.yaml', 'plugin.ts', 'lib/shared.ts', 'hooks.ts', '.env'].map((file): [string, string, string[]] => [
    `${file}, which all depend on`,
    file,
    [A, B, BROKEN, C],
  ]),
])('%s touches the scenarios that use it', async (_, changed, touched) => {
  expect(await touchedBy(changed)).toEqual(touched);
});

test('only scenarios that were asked for are touched, also by name', async () => {
  expect(await touchedBy('rows.csv', ['scenarios/c.scenario.ts'])).toEqual([C]);
  expect(await touchedBy('salvo.yaml', ['b'])).toEqual([B]);
});

test('a file is asked for again as it was at first: by its path, or by the names of its scenarios', async () => {
  await using project = await projectFixture(FILES);
  const again = async (files: string[], touched: string) =>
    askedFor(await watchedFiles({ cwd: project.root, files }), [project.path(touched)]);
  expect(await again(['b', 'c'], B)).toEqual(['b']);
  expect(await again(['b', B], B)).toEqual([project.path(B)]);
  expect(await again([], B)).toEqual([project.path(B)]);
});
