import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const source = await readFile(join(ROOT, 'test/agents/sdk-types.test.ts'), 'utf8');

/** The lines of a changed copy of sdk-types.test.ts that do not compile. */
async function brokenLines(changed: string): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'salvo-types-'));
  await mkdir(join(folder, 'test/agents'), { recursive: true });
  for (const name of ['packages', 'node_modules']) await symlink(join(ROOT, name), join(folder, name));
  await writeFile(join(folder, 'test/agents/copy.ts'), changed);
  const config = { extends: join(ROOT, 'tsconfig.json'), include: ['test'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, compilerOptions: { noEmit: true } }));
  const output = await new Promise<string>((resolve) => {
    execFile(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: folder }, (_, stdout) => resolve(stdout));
  });
  await rm(folder, { recursive: true });
  const lines = [...output.matchAll(/copy\.ts\((\d+),/g)].map(([, line]) => Number(line));
  // Imports of the sources lead out of the folder of the copy.
  return lines.filter((line) => line > source.slice(0, source.indexOf('\n\n')).split('\n').length);
}

/** Where samples of all members of a type are declared, except those that begin with the samples of another type. */
const declarations = source.split('\n').flatMap((line, index, all) => {
  const isWhole = !/^\s+\.\.\.\w+,$/.test(all[index + 1] ?? '');
  return isWhole && /const \w+: (?:Samples|Record)</.test(line) ? [index + 1] : [];
});

test('a member that an SDK adds to any of its types does not compile', async () => {
  expect(declarations.length).toBeGreaterThan(14);
  expect(await brokenLines(source)).toEqual([]);
  // As if each type had one more member.
  const added = source
    .replace('= Record<Type, object>;', "= Record<Type | 'brand-new', object>;")
    .replaceAll(/(const \w+: Record<)(.+)(, (?:object|unknown)> = )/g, "$1$2 | 'brand-new'$3");
  expect(await brokenLines(added)).toEqual(expect.arrayContaining(declarations));
});

test('a sample that is missing does not compile', async () => {
  const line = declarations[0] ?? 0;
  const removed = source.replace(
    "    tool: { content: [{ type: 'tool-result'",
    "    tol: { content: [{ type: 'tool-result'",
  );
  expect(removed).not.toBe(source);
  expect((await brokenLines(removed)).some((broken) => Math.abs(broken - line) < 8)).toBe(true);
});
