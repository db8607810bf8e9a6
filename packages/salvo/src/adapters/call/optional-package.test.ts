import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { permitAllCode, permitCode, permitNoCode } from '../../text/modules/permitted-code.ts';
import { clientClass, importOptionalPackage, importSdk, isSdkMissing } from './optional-package.ts';

function project(manifest: Record<string, unknown>, code: string) {
  const root = temporaryFolder();
  const folder = join(root, 'node_modules', 'some-package');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'some-package', version: '1.0.0', ...manifest }));
  writeFileSync(join(folder, 'index.js'), code);
  return root;
}

const load = (root: string, name = 'some-package') => importOptionalPackage({ name, root, needed: ['zod', name] });

test.each([
  ['a CommonJS package', { main: 'index.js' }, 'exports.answer = 42'],
  ['an ES module', { type: 'module', exports: './index.js' }, 'export const answer = 42'],
  [
    'a package that is for import only',
    { type: 'module', exports: { import: './index.js' } },
    'export const answer = 42',
  ],
  [
    'a package with nested conditions',
    { type: 'module', exports: { '.': { types: './x.d.ts', import: { node: './index.js' } } } },
    'export const answer = 42',
  ],
])('%s is found in the project', async (_, manifest, code) => {
  expect(await load(project(manifest, code))).toMatchObject({ answer: 42 });
});

test('a package that the project lacks is looked for where Salvo is installed', async () => {
  expect(await load(temporaryFolder(), 'zod')).toHaveProperty('object');
});

test('a project that bears the name of a package is code of the project, which has to be permitted', async () => {
  const root = realpathSync(temporaryFolder());
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'own-name', exports: './own.cjs' }));
  writeFileSync(join(root, 'own.cjs'), 'exports.answer = 42');
  expect(await load(root, 'own-name')).toMatchObject({ answer: 42 });
  permitNoCode();
  await expect(load(root, 'own-name')).rejects.toMatchObject({ code: 'CODE_NOT_ALLOWED' });
  permitCode({ module: join(root, 'own.cjs') });
  expect(await load(root, 'own-name')).toMatchObject({ answer: 42 });
  permitAllCode();
});

test('a missing package is named with the command that installs all that is missing', async () => {
  await expect(load(tmpdir(), 'no-such-package-1')).rejects.toMatchObject({
    kind: 'missing_dependency',
    message: expect.stringMatching(/needs the package no-such-package-1, .* Run: npm install no-such-package-1$/),
  });
});

test('a package that breaks while it loads says why', async () => {
  const root = project({ main: 'index.js' }, 'throw new Error("wrong platform")');
  await expect(load(root)).rejects.toThrow('The package some-package could not be loaded: wrong platform');
});

const notFound = () => Promise.reject(new Error('Cannot find package'));

test("an SDK that is not installed with Salvo is looked for in the user's project", async () => {
  const root = project({ main: 'index.js' }, 'exports.answer = 42');
  expect(await importSdk<object>('some-package', root, notFound)).toMatchObject({ answer: 42 });
});

test('an SDK that is nowhere is named with the command that installs it', async () => {
  await expect(importSdk('@no/such-sdk', tmpdir(), notFound)).rejects.toMatchObject({
    kind: 'missing_dependency',
    message: 'This adapter needs the package @no/such-sdk, which is not installed. Run: npm install @no/such-sdk',
  });
});

test('whether an SDK is missing is known without loading it', () => {
  expect(isSdkMissing('@no/such-sdk', tmpdir())).toBe(true);
  expect(isSdkMissing('some-package', project({ main: 'index.js' }, 'throw new Error()'))).toBe(false);
});

test('an SDK that is too old to have a client is named with the version that has one', () => {
  class Client {}
  expect(clientClass(Client, { sdk: 'openai', since: '4' })).toBe(Client);
  expect(() => clientClass(undefined, { sdk: 'openai', since: '4' })).toThrow(
    /The installed version of openai is too old .* needs 4 or later\. Run: npm install openai@latest/,
  );
});
