import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { otherMachine, packAll } from '../../../../test/carried-project.ts';
import { projectFixture } from '../../../../test/project-fixture.ts';
import { loadProject } from '../../../salvo/src/scenario/load-project.ts';
import { loadScenario } from '../../../salvo/src/scenario/load-scenario.ts';
import { importModule, ModuleLoadError } from '../../../salvo/src/text/modules/import-module.ts';
import { permitAllCode } from '../../../salvo/src/text/modules/permitted-code.ts';
import { removeOldBundles } from './bundle-cache.ts';
import { bundleBytes, fileHash } from './bundle-document.ts';

const FILES = {
  'salvo.yaml': 'default_adapter: ./agent.mjs\n',
  'agent.mjs': `import { word } from './word.mjs';\nexport default () => word;`,
  'word.mjs': `export const word = 'ok';`,
  'scenarios/a.yaml': 'prompt: hi\n',
};

async function packedFixture(files: Record<string, string> = FILES) {
  await using project = await projectFixture(files);
  return await packAll(project.root);
}

describe('unpacking', () => {
  it('writes every file as it was, for reading only, with the programs executable', async () => {
    await using project = await projectFixture({
      ...FILES,
      'salvo.yaml': 'default_adapter: exec:./run.sh\n',
      'run.sh': '#!/bin/sh\n',
    });
    await chmod(project.path('run.sh'), 0o755);
    await using machine = await otherMachine();
    const { root, cwd } = await machine.unpack(await packAll(project.root));
    expect(await readFile(join(root, 'run.sh'), 'utf8')).toBe('#!/bin/sh\n');
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o555);
    expect((await stat(join(root, 'scenarios/a.yaml'))).mode & 0o777).toBe(0o444);
    expect(cwd).toBe(root);
  });

  it('is done once, also by several workers at the same time', async () => {
    const packed = await packedFixture();
    await using machine = await otherMachine();
    const places = await Promise.all(Array.from({ length: 5 }, () => machine.unpack(packed)));
    expect(new Set(places.map(({ root }) => root)).size).toBe(1);
    expect(await readdir(machine.cache)).toHaveLength(1);
  });

  it('replaces what was changed or is incomplete', async () => {
    const packed = await packedFixture();
    await using machine = await otherMachine();
    const { root } = await machine.unpack(packed);
    await chmod(join(root, 'word.mjs'), 0o644);
    await writeFile(join(root, 'word.mjs'), `export const word = 'changed';`);
    await machine.unpack(packed);
    expect(await readFile(join(root, 'word.mjs'), 'utf8')).toBe(FILES['word.mjs']);
  });

  it('writes nothing if the owner of the worker did not allow the code', async () => {
    const packed = await packedFixture();
    await using machine = await otherMachine();
    const hash = packed.code?.hash ?? '';
    await expect(machine.unpack(packed, { allowedCode: ['0'.repeat(64)] })).rejects.toThrow(
      new RegExp(`module agent.mjs[^]*--allow-code ${hash}`),
    );
    expect(existsSync(machine.cache)).toBe(false);
    await machine.unpack(packed, { allowedCode: [hash] });
  });

  it('writes nothing if the run was started with --no-code, whatever the owner of the worker allows', async () => {
    const packed = await packedFixture();
    await using machine = await otherMachine();
    await expect(machine.unpack(packed, { allowedCode: 'none' })).rejects.toThrow(
      /--no-code`, so no worker .*\n {2}module agent.mjs$/,
    );
    expect(existsSync(machine.cache)).toBe(false);
  });

  it('is refused after a file has changed that an allowed command reads, and says what comes from outside', async () => {
    await using project = await projectFixture({
      'salvo.yaml': 'default_adapter: "exec:make -s agent"\nworkers: { files: [Makefile] }\n',
      Makefile: 'agent:\n\t@echo one\n',
      'rows.csv': 'name\na\n',
      'scenarios/a.yaml': 'prompt: "{{name}}"\ndata: ../rows.csv\n',
    });
    await using machine = await otherMachine();
    const allowedCode = [(await packAll(project.root)).code?.hash ?? ''];
    await project.write('rows.csv', 'name\nb\n');
    await machine.unpack(await packAll(project.root), { allowedCode });
    await project.write('Makefile', 'agent:\n\t@echo two\n');
    await expect(machine.unpack(await packAll(project.root), { allowedCode })).rejects.toThrow(
      'command make -s agent (from outside: the program make)',
    );
  });

  it.each(['missing', 'other content'])('leaves nothing behind if a file has %s', async (what) => {
    const packed = await packedFixture();
    const { hash } = packed.bundle.files.at(-1) ?? { hash: '' };
    if (what === 'missing') packed.contents.delete(hash);
    else packed.contents.set(hash, Buffer.from('prompt: ho\n'));
    await using machine = await otherMachine();
    await expect(machine.unpack(packed)).rejects.toThrow(expect.objectContaining({ code: 'BUNDLE_INVALID' }));
    expect(await readdir(machine.cache)).toEqual([]);
  });

  it.each<[string, string | null]>([
    ['env_file', '{"env_file":"/home/owner/.aws/credentials"}'],
    ['storage_dir', '{"storage_dir":"/tmp"}'],
    ['database_url', '{"database_url":"postgres://evil.example"}'],
    ['database_migrate', '{"database_migrate":true}'],
    ['matrix', '{"matrix":["scripted=a"]}'],
    ['baseline', '{"baseline":"/etc/hosts"}'],
    ['workers', '{"workers":{"files":["/etc/*"]}}'],
    ['a merge key', '{"<<":{"env_file":"/etc/environment"}}'],
    ['an include', 'env_file: !include /etc/hostname\n'],
    ['no salvo.yaml', null],
  ])('refuses settings that no honest client sends: %s', async (_, text) => {
    const packed = await packedFixture();
    const content = Buffer.from(text ?? '');
    const entry = { path: 'salvo.yaml', hash: fileHash(content), size: content.length, executable: false };
    const others = packed.bundle.files.filter(({ path }) => path !== 'salvo.yaml');
    const forged = bundleBytes({ ...packed.bundle, files: text === null ? others : [...others, entry] });
    const contents = new Map([...packed.contents, [entry.hash, content], [forged.hash, forged.content]]);
    await using machine = await otherMachine();
    await expect(machine.unpack({ hash: forged.hash, contents })).rejects.toThrow(
      expect.objectContaining({ code: 'BUNDLE_INVALID' }),
    );
    expect(existsSync(machine.cache)).toBe(false);
  });

  it('reads nothing outside the folder, also if salvo.yaml allows it', async () => {
    await using folder = await projectFixture({
      'shared/rows.csv': 'name\na\n',
      'project/salvo.yaml': 'allow_outside: true\ndefault_adapter: scripted\n',
      'project/scenarios/a.yaml': 'prompt: "{{name}}"\ndata: ../../shared/rows.csv\nscript: [{ content: ok }]\n',
    });
    await using elsewhere = await projectFixture({ 'secret.csv': 'name\nsecret\n' });
    await using machine = await otherMachine();
    const unpacked = await machine.unpack(await packAll(folder.path('project')));
    const project = { ...(await loadProject(unpacked.root)), boundary: unpacked.folder };
    const file = join(unpacked.root, 'scenarios/a.yaml');
    expect((await loadScenario({ file, project })).scenario.data).toEqual([{ name: 'a' }]);
    await chmod(file, 0o644);
    await writeFile(file, `prompt: "{{name}}"\ndata: ${elsewhere.path('secret.csv')}\nscript: [{ content: ok }]\n`);
    await expect(loadScenario({ file, project })).rejects.toThrow('outside');
  });

  it('says what to do if the cache cannot be written', async () => {
    await using machine = await otherMachine();
    await writeFile(machine.cache, 'a file');
    await expect(machine.unpack(await packedFixture())).rejects.toThrow('SALVO_CACHE_DIR');
  });
});

describe('packages that code imports', () => {
  const files = { ...FILES, 'agent.mjs': `import { word } from 'some-package';\nexport default () => word;` };

  it('are those that are installed where the worker was started', async () => {
    const packed = await packedFixture(files);
    await using machine = await otherMachine();
    const folder = join(dirname(machine.cache), 'node_modules/some-package');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"module","main":"index.js"}');
    await writeFile(join(folder, 'index.js'), `export const word = 'installed';`);
    const { root } = await machine.unpack(packed);
    const { default: agent } = await importModule(join(root, 'agent.mjs'));
    expect(agent).toBeTypeOf('function');
  });

  it('are missing with the folder in which to install them', async () => {
    await using machine = await otherMachine();
    const { root } = await machine.unpack(await packedFixture(files));
    const error: unknown = await importModule(join(root, 'agent.mjs')).catch((thrown: unknown) => thrown);
    const step = error instanceof ModuleLoadError ? error.nextStep : undefined;
    expect(step).toBe(`Run \`npm install some-package\` in ${dirname(machine.cache)}.`);
  });
});

it('a plugin that is a package must be installed in the version of the client, before anything is done', async () => {
  const plugin = (version: string) => ({
    'node_modules/salvo-shop/package.json': JSON.stringify({ name: 'salvo-shop', version, main: 'index.cjs' }),
    'node_modules/salvo-shop/index.cjs': '',
  });
  await using project = await projectFixture({ ...FILES, ...plugin('1.2.0') });
  await project.write('salvo.yaml', `${FILES['salvo.yaml']}plugins: [salvo-shop]\n`);
  // Another test of this process was a worker that allows none.
  permitAllCode();
  const packed = await packAll(project.root);
  await using machine = await otherMachine();
  const unpackAt = (cwd: string) => machine.unpack(packed, { cwd });
  await using other = await projectFixture();
  await expect(unpackAt(other.root)).rejects.toThrow(
    `The run uses the plugin salvo-shop 1.2.0, which this worker does not have. Run \`npm install salvo-shop@1.2.0\` in ${other.root}.`,
  );
  await using old = await projectFixture(plugin('1.1.0'));
  await expect(unpackAt(old.root)).rejects.toThrow('and this worker has 1.1.0');
  await using same = await projectFixture(plugin('1.2.0'));
  await unpackAt(same.root);
});

it('a file that git ignores and code imports by a path that it computes is missing with the key for it', async () => {
  await using machine = await otherMachine();
  const files = {
    ...FILES,
    '.gitignore': 'dist/\n',
    'agent.mjs': `const { word } = await import(['.', 'dist', 'word.mjs'].join('/'));\nexport default () => word;`,
    'dist/word.mjs': `export const word = 'ok';`,
  };
  const { root } = await machine.unpack(await packedFixture(files));
  const error: unknown = await importModule(join(root, 'agent.mjs')).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: expect.stringContaining('dist/word.mjs') });
  expect(error).toMatchObject({ nextStep: expect.stringContaining('workers: { files: [...] }') });
  const asked = { ...files, 'salvo.yaml': `${files['salvo.yaml']}workers: { files: ["dist/**"] }\n` };
  const other = await machine.unpack(await packedFixture(asked));
  expect(existsSync(join(other.root, 'dist/word.mjs'))).toBe(true);
});

it('what is unfinished, and bundles in a cache that is too large, are removed a day after their last use', async () => {
  await using machine = await otherMachine();
  const days = { old: 3, older: 5, used: 0, '.unfinished-1': 2, '.unfinished-2': 0 };
  for (const [name, age] of Object.entries(days)) {
    await mkdir(join(machine.cache, name), { recursive: true });
    await writeFile(join(machine.cache, name, 'file'), new Uint8Array(1000));
    const then = new Date(Date.now() - age * 86_400_000);
    await utimes(join(machine.cache, name), then, then);
  }
  await removeOldBundles(machine.cache, 4500);
  expect((await readdir(machine.cache)).sort()).toEqual(['.unfinished-2', 'old', 'used']);
  await removeOldBundles(machine.cache, 0);
  expect((await readdir(machine.cache)).sort()).toEqual(['.unfinished-2', 'used']);
});
