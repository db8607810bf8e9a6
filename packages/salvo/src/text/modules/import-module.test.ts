import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';

// In a process of its own: a test runner loads modules in its own way.
const SCRIPT = `
  import { importModule } from ${JSON.stringify(join(import.meta.dirname, 'import-module.ts'))};
  const results = {};
  for (const file of process.argv.slice(1)) {
    results[file] = await importModule(file).then(
      (module) => ({ default: module.default }),
      ({ message, place, nextStep }) => ({ message, place: place && place.line + ':' + place.column, nextStep }),
    );
  }
  console.log(JSON.stringify(results));
`;

function load(files: Record<string, string>): Record<string, unknown> {
  const folder = temporaryFolder();
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  const paths = Object.keys(files).map((name) => join(folder, name));
  const args = ['--input-type=module', '-e', SCRIPT, ...paths.filter((path) => !path.endsWith('.json'))];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const results: Record<string, unknown> = JSON.parse(output.replaceAll(JSON.stringify(folder).slice(1, -1), '.'));
  return results;
}

test('a module that cannot be loaded says why, where, and what to do', () => {
  const results = load({
    'helper.ts': 'export const a: number = 1;',
    'no-extension.ts': "import { a } from './helper';\nexport default a;",
    'enum.ts': 'enum A { B }\nexport default A.B;',
    'syntax.ts': 'export default () => {\n  const a = ;\n}',
    'syntax.mjs': 'export default () => {\n  const a = ;\n}',
    'package.ts': "import 'no-such-package';",
    'type.ts': "import { Missing } from './helper.ts';\nexport default Missing;",
    'require.mjs': 'const fs = require("fs");\nexport default fs;',
    'throws.ts': 'export default 1;\nnull.foo;',
    'text.ts': 'export default 1;\nthrow "a text";',
  });
  expect(results).toMatchObject({
    './no-extension.ts': { place: '1:19', nextStep: expect.stringContaining("its extension: write './helper.ts'.") },
    './enum.ts': { place: '1:1', nextStep: expect.stringContaining('npm install --save-dev tsx') },
    './syntax.ts': { place: '2:13', message: 'Expression expected' },
    './syntax.mjs': { place: '2:13', message: "Unexpected token ';'" },
    './package.ts': { nextStep: 'Run `npm install no-such-package` in ..' },
    './type.ts': { place: '1:10', nextStep: expect.stringContaining('import type') },
    './require.mjs': { place: '1:12', nextStep: expect.stringContaining('.cjs') },
    './throws.ts': { place: '2:6', message: "Cannot read properties of null (reading 'foo')" },
    './text.ts': { message: 'a text' },
  });
});

test('a module may use import in a project that npm made CommonJS, and so may what it imports', () => {
  const results = load({
    'package.json': '{ "type": "commonjs" }',
    'word.ts': "export const word: string = 'hi';",
    'agent.ts': "import { word } from './word.ts';\nexport default word;",
    'old.js': "module.exports = 'old';",
  });
  expect(results).toMatchObject({ './agent.ts': { default: 'hi' }, './old.js': { default: 'old' } });
});
