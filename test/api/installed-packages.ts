import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { addPackFiles } from '../../scripts/pack-files.ts';
import { builtPackage } from '../built-package.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

export type PackageName = 'salvo' | 'salvo-arena' | 'salvo-postgres';

const packed = new Map<PackageName, Promise<string>>();

/** The tarball that `npm pack` makes of a package, as it would be published. */
export function tarballOf(name: PackageName): Promise<string> {
  const tarball = packed.get(name) ?? pack(name);
  packed.set(name, tarball);
  return tarball;
}

async function pack(name: PackageName): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), 'salvo-pack-'));
  const folder = join(workspace, name);
  await cp(join(dirname(await builtPackage()), name), folder, { recursive: true });
  addPackFiles(name, folder);
  return packFolder(folder);
}

/** Without the scripts of the package: the tests have built it. */
export async function packFolder(folder: string): Promise<string> {
  const target = await mkdtemp(join(tmpdir(), 'salvo-tarball-'));
  await run('npm', ['pack', '--ignore-scripts', '--offline', '--pack-destination', target], { cwd: folder });
  const [file = ''] = await readdir(target);
  return join(target, file);
}

/** Installs packages into a project as npm does, with what they depend on from here: there is no network. */
export async function installPackages(project: string, names: readonly PackageName[]): Promise<void> {
  for (const name of names) await installTarball(project, { name, tarball: await tarballOf(name) });
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true });
  await symlink('../salvo/bin/salvo.js', join(project, 'node_modules/.bin/salvo'));
}

export async function installTarball(project: string, { name, tarball }: { name: string; tarball: string }) {
  const folder = join(project, 'node_modules', name);
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  for (const [dependency, path] of await dependenciesOf(folder)) {
    const link = join(project, 'node_modules', dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(path, link).catch(() => {});
  }
}

/** Everything that npm installs for a package, by name: where it is in this repository. */
async function dependenciesOf(folder: string, found = new Map<string, string>()): Promise<Map<string, string>> {
  const { dependencies, optionalDependencies } = manifestSchema.parse(
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
  );
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const path = join(ROOT, 'node_modules', name);
    if (found.has(name) || !(await stat(path).catch(() => null))) continue;
    found.set(name, path);
    await dependenciesOf(path, found);
  }
  return found;
}

/** How many packages a project has installed, and how many bytes their files have. */
export async function installationSize(project: string): Promise<{ packages: number; bytes: number }> {
  const modules = join(project, 'node_modules');
  const { stdout } = await run('du', ['-sLb', modules]);
  const names = (await readdir(modules)).filter((name) => !name.startsWith('.'));
  const inScopes = await Promise.all(
    names.map(async (name) => (name.startsWith('@') ? (await readdir(join(modules, name))).length : 1)),
  );
  return { packages: inScopes.reduce((sum, count) => sum + count, 0), bytes: Number.parseInt(stdout, 10) };
}
