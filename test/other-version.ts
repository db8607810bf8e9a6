import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { salvoVersion } from '../packages/salvo/src/text/modules/salvo-version.ts';
import { builtPackage } from './built-package.ts';

const PACKAGES = ['salvo', 'salvo-arena', 'salvo-postgres'];

/** What a version of Salvo does in another way: a text of the built program, and what is there instead. */
export type Difference = readonly [text: string, replacement: string];

/** The tables of a later version: one more column, and so one more migration. */
export const LATER_TABLES: Difference = [
  `RENAME COLUMN led_at TO coordinated_at"`,
  `RENAME COLUMN led_at TO coordinated_at", "ALTER TABLE salvo.work_orders ADD COLUMN later integer"`,
];
/** Orders and workers in a form that only this version can read. */
export const OTHER_FORMS: readonly Difference[] = [
  ['JSON.stringify(order)', `JSON.stringify(order).replace('"bundle"', '"pack"')`],
  ['JSON.stringify(worker)', `JSON.stringify(worker).replace('"labels"', '"tags"')`],
  [
    'JSON.parse(string().parse(text))',
    `JSON.parse(string().parse(text).replace('"pack"', '"bundle"').replace('"tags"', '"labels"'))`,
  ],
];

/** The program of another version: a copy of the built packages that differs in this, and in the version that it gives. */
export async function otherVersion(
  version: string,
  differences: readonly Difference[] = [],
): Promise<AsyncDisposable & { main: string }> {
  const own = dirname(await builtPackage());
  // Beside them, where they find their dependencies.
  const folder = await mkdtemp(join(own, 'new-'));
  const copies = PACKAGES.map((name) => join(folder, 'node_modules', name));
  for (const [index, copy] of copies.entries()) {
    await cp(join(own, PACKAGES[index] ?? ''), copy, { recursive: true });
  }
  const missing = new Set([
    [String.raw`\"version\": \"${salvoVersion()}\"`, String.raw`\"version\": \"${version}\"`],
    ...differences,
  ]);
  const files = await Promise.all(copies.map((copy) => filesOf(join(copy, 'dist/chunks'))));
  for (const file of files.flat()) {
    const text = await readFile(file, 'utf8');
    const found = [...missing].filter(([before = '']) => text.includes(before));
    if (found.length === 0) continue;
    await writeFile(
      file,
      found.reduce((changed, [before = '', after = '']) => changed.replaceAll(before, () => after), text),
    );
    for (const difference of found) missing.delete(difference);
  }
  if (missing.size > 0) throw new Error(`The built program has no ${[...missing].join(' and no ')}`);
  return {
    main: join(folder, 'node_modules/salvo/dist/cli/main.js'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => join(folder, name));
}
