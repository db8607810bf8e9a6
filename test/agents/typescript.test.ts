import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createModuleAdapter } from '../../packages/salvo/src/adapters/agent/module.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { TYPESCRIPT_FILES, TYPESCRIPT_FORMS } from './typescript-forms.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HARD = TYPESCRIPT_FORMS.flatMap((form) => (form.fails ? [{ ...form, fails: form.fails }] : []));
const EASY = TYPESCRIPT_FORMS.filter(({ fails }) => fails === undefined);

/** A project with all forms, in which a loader is installed or none. */
function project(loader: 'tsx' | '@oxc-node/core' | null): string {
  const folder = temporaryFolder();
  const files = { ...TYPESCRIPT_FILES, ...Object.fromEntries(TYPESCRIPT_FORMS.map(({ file, code }) => [file, code])) };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const packages = join(folder, 'node_modules');
  mkdirSync(join(packages, '@oxc-node'), { recursive: true });
  for (const name of ['shop', 'greetings']) symlinkSync(join(folder, 'packages', name), join(packages, name));
  if (loader) symlinkSync(join(ROOT, 'node_modules', loader), join(packages, loader));
  return folder;
}

// In processes of their own: a test runner loads modules in its own way, and a loader stays for the rest of a process.
const SCRIPT = `
  import { importModule } from ${JSON.stringify(join(ROOT, 'packages/salvo/src/text/modules/import-module.ts'))};
  const results = [];
  for (const file of process.argv.slice(1)) {
    results.push(await importModule(file).then(
      (module) => [module.default, module.agent, module.default?.agent, module.default?.default].find((f) => typeof f === 'function')(),
      ({ message, place, nextStep }) => ({ message, at: place ? place.line + ':' + place.column : '', nextStep }),
    ));
  }
  console.log(JSON.stringify(await Promise.all(results)));
`;

async function load(folder: string, forms: readonly { file: string }[], options: string[] = []): Promise<unknown[]> {
  const files = forms.map(({ file }) => join(folder, file));
  const args = [...options, '--no-warnings', '--input-type=module', '-e', SCRIPT, ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  return JSON.parse(stdout);
}

test('there are 23 forms, 11 of which Node alone does not load', () => {
  expect([TYPESCRIPT_FORMS.length, HARD.length]).toEqual([23, 11]);
});

test('without a loader, twelve forms load, and the others say where, why, and what to install', async () => {
  const folder = project(null);
  const [easy, hard] = await Promise.all([load(folder, EASY), load(folder, HARD)]);
  expect(easy).toEqual(EASY.map(() => 'hi'));
  expect(hard).toEqual(
    HARD.map(({ fails: { at, says } }) => ({
      message: expect.any(String),
      at,
      nextStep: expect.stringContaining(says),
    })),
  );
});

// npm cannot lock oxc-node for every platform, so it is tested where it is installed: `npm install --no-save @oxc-node/core`.
describe.each([
  { loader: 'tsx', entry: 'tsx' },
  { loader: '@oxc-node/core', entry: '@oxc-node/core/register' },
] as const)('$loader', ({ loader, entry }) => {
  const isInstalled = existsSync(join(ROOT, 'node_modules', loader));

  test.skipIf(!isInstalled)('loads each form if it is installed in the project', async () => {
    const folder = project(loader);
    // The first module of a process is loaded by Node and then by the loader; the others by the loader at once.
    const links = HARD.filter(({ file }) => ['untyped.ts', 'workspace.ts'].includes(file));
    const runs = [[...HARD, ...EASY], ...links.map((form) => [form])];
    const loaded = await Promise.all(runs.map((forms) => load(folder, forms)));
    expect(loaded).toEqual(runs.map((forms) => forms.map(() => 'hi')));
  });

  test.skipIf(!isInstalled)('loads each form if Node was started with it, although the project has none', async () => {
    const loaded = await load(project(null), TYPESCRIPT_FORMS, ['--import', import.meta.resolve(entry)]);
    expect(loaded).toEqual(TYPESCRIPT_FORMS.map(() => 'hi'));
  });
});

test('a module that another one has loaded before keeps its state', async () => {
  const folder = project('tsx');
  writeFileSync(join(folder, 'count.ts'), 'export const counted = { times: 0 };');
  writeFileSync(
    join(folder, 'first.ts'),
    "import { counted } from './count.ts';\nexport default () => ++counted.times;",
  );
  writeFileSync(join(folder, 'second.ts'), "import { counted } from './count';\nexport default () => ++counted.times;");
  expect(await load(folder, [{ file: 'first.ts' }, { file: 'second.ts' }])).toEqual([1, 2]);
});

test('code that has begun to run is not run again by a loader, and its error has its place', async () => {
  const folder = project('tsx');
  writeFileSync(join(folder, 'parse.ts'), "console.error('ran');\nJSON.parse('{');\nexport default 1;");
  writeFileSync(join(folder, 'throws.ts'), 'enum A { B }\nexport default A.B;\nnull.foo;');
  writeFileSync(join(folder, 'wrong.ts'), 'enum A { B }\nexport default () => {\n  const a = ;\n};');
  expect(await load(folder, [{ file: 'parse.ts' }, { file: 'throws.ts' }, { file: 'wrong.ts' }])).toMatchObject([
    { at: '2:6', message: expect.stringContaining('JSON') },
    { at: '3:6', message: expect.stringContaining('null') },
    { at: '3:13', message: 'Expression expected' },
  ]);
});

test('an agent in a process of its own is loaded by the loader of its project', async () => {
  const root = project('tsx');
  const context = { root, adapters: {}, env: process.env };
  const adapter = createModuleAdapter({ type: 'module', path: 'untyped.ts' }, context);
  const { content } = await adapter.sendTurn([{ role: 'user', content: 'Hello' }], [], { model: 'none' });
  await adapter.close?.();
  expect(content).toBe('hi');
});

test('a class is no agent, and the message says what to export', async () => {
  const root = project(null);
  writeFileSync(join(root, 'class.ts'), 'export default class Agent {\n  run() { return "hi"; }\n}');
  const adapter = createModuleAdapter({ type: 'module', path: 'class.ts' }, { root, adapters: {}, env: process.env });
  await expect(adapter.prepare?.()).rejects.toThrow(/exports a class as default\. Export a function that calls it/);
  await adapter.close?.();
});
