import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLED_APPS } from './bundled-apps.ts';
import { docsBlocks } from './docs-examples.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

/** A folder in which the package is installed as npm would do it: one build for all tests of this file. */
let consumer: string;
let dist: string;

beforeAll(async () => {
  consumer = await mkdtemp(join(tmpdir(), 'salvo-package-'));
  const installed = join(consumer, 'node_modules', 'salvo');
  dist = join(installed, 'dist');
  await mkdir(installed, { recursive: true });
  await cp(join(ROOT, 'package.json'), join(installed, 'package.json'));
  await symlink(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
  await run(process.execPath, ['scripts/build.ts', dist], { cwd: ROOT });
}, 240_000);

afterAll(() => rm(consumer, { recursive: true, force: true }));

describe('an app that bundles everything and runs where no package is installed', () => {
  it.each(BUNDLED_APPS)('can use $entry', { timeout: 120_000 }, async ({ entry, source, prints }) => {
    const app = join(consumer, entry.replace('/', '-'));
    const elsewhere = await mkdtemp(join(tmpdir(), 'salvo-elsewhere-'));
    await mkdir(app);
    await writeFile(join(app, 'app.js'), source);
    await bundle(join(app, 'app.js'), join(app, 'out'));
    await cp(join(app, 'out'), elsewhere, { recursive: true });
    await writeFile(join(elsewhere, 'package.json'), '{ "type": "module" }');

    const { stdout } = await run(process.execPath, [join(elsewhere, 'app.js')], { cwd: elsewhere, env: {} });

    expect(stdout.trim().split('\n')).toEqual(prints);
    await rm(elsewhere, { recursive: true });
  });

  async function bundle(input: string, out: string): Promise<void> {
    const build = await rolldown({ input, platform: 'node', logLevel: 'silent' });
    await build.write({ dir: out, format: 'esm' });
    await build.close();
    expect(await readdir(out)).toContain('app.js');
  }
});

describe('the examples of docs/api.md', () => {
  const examples = docsBlocks().flatMap((block, index) =>
    block.kind === 'example' ? [{ ...block, file: `example-${index}.mts` }] : [],
  );
  const entries = ['salvo', 'salvo/judge', 'salvo/match', 'salvo/arena'];

  it('use every entry, and say what they print', () => {
    for (const entry of entries) expect(examples.some(({ code }) => code.includes(`from '${entry}';`))).toBe(true);
    expect(examples.filter(({ prints }) => prints === '').map(({ title }) => title)).toEqual([]);
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('compile as %s modules with %s resolution, declarations of the package included', async (module, resolution) => {
    const folder = await writeDocs(`compiled-${resolution}`);
    const wrong = `import { runFiles } from 'salvo';\nawait runFiles({ trails: 3 });\n`;
    await writeFile(join(folder, 'wrong.mts'), wrong);
    const options = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--target', 'es2024'];
    const libraries = ['--lib', 'es2024,esnext.disposable', '--types', 'node'];
    const modules = ['--module', module, '--moduleResolution', resolution];
    const { stdout } = await run(
      process.execPath,
      [
        join(ROOT, 'node_modules/typescript/bin/tsc'),
        ...[...options, ...libraries, ...modules],
        ...['--typeRoots', join(ROOT, 'node_modules/@types')],
        ...['wrong.mts', ...examples.map(({ file }) => file)],
      ],
      { cwd: folder },
    ).catch((error: { stdout: string }) => error);

    // The file with a mistake shows that types are checked at all.
    expect(stdout.trim().split('\n')).toEqual([expect.stringMatching(/^wrong\.mts\(2,18\): error TS2561/)]);
  });

  it('run one after the other in one folder, and print what the page says', { timeout: 240_000 }, async () => {
    const folder = await writeDocs('run');
    const printed: string[] = [];
    const env = { PATH: process.env.PATH ?? '' };
    for (const { file, title } of examples) {
      const { stdout } = await run(process.execPath, [file], { cwd: folder, env });
      printed.push(`${title}: ${stdout}`);
    }
    expect(printed).toEqual(examples.map(({ title, prints }) => `${title}: ${prints}`));
  });

  async function writeDocs(name: string): Promise<string> {
    const folder = join(consumer, name);
    for (const [index, block] of docsBlocks().entries()) {
      const file = join(folder, block.kind === 'file' ? block.path : `example-${index}.mts`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, block.kind === 'file' ? block.text : block.code);
    }
    return folder;
  }
});

describe('importing salvo/match', () => {
  it('loads no adapter, no model and no judge', async () => {
    const modules = await loadedModules(join(dist, 'match.js'));
    expect(modules).toContain('match/judge-agent');
    expect(modules.filter((name) => !/^(?:match|iac|text|stats|secrets)(?:\/|$)/.test(name))).toEqual([]);
  });

  /** The modules of `src/` in all chunks that are loaded at once. The build names each in a comment. */
  async function loadedModules(entry: string): Promise<string[]> {
    const files = new Set([entry]);
    const found: string[] = [];
    for (const file of files) {
      const text = await readFile(file, 'utf8');
      for (const [, path = ''] of text.matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+)";$/gm)) {
        files.add(join(dirname(file), path));
      }
      for (const [, name = ''] of text.matchAll(/^\/\/ \S*\bmodules\/(\S+)\.js$/gm)) found.push(name);
    }
    return found;
  }
});
