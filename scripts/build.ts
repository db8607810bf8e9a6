import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { buildArenaPages, buildPages } from './build-pages.ts';
import { compileCalledFunctions } from './eager-functions.ts';
import { joinedChunks } from './joined-chunks.ts';
import { kitsOfStarts } from './kits-of-starts.ts';
import { buildFingerprint, LAST_BUILD, type LastBuild } from './last-build.ts';
import { type BuiltPackage, PACKAGES } from './packages.ts';
import { quickBuiltins } from './quick-builtins.ts';
import { selfContained } from './self-contained.ts';
import { withoutFacades } from './without-facades.ts';

/** Packages that dist/ holds, as far as they are used: they are many small files, which nearly every start needs. */
const JOINED = [
  'commander',
  'fast-string-width',
  'fast-string-truncated-width',
  'fastest-levenshtein',
  'hono',
  '@hono/node-server',
  'tslib',
  'yaml',
  'zod',
];
/** Other packages of which a dist/ holds a part. */
const INCLUDED: Readonly<Record<string, readonly string[]>> = {
  'salvo-arena': ['web-tree-sitter', '@tree-sitter-grammars/tree-sitter-hcl'],
};

/**
 * Builds dist/ of every package. Tests build into another folder, with a folder for each package, and leave types to
 * `npm run types`. They count sources with the file `--sources`: which sources each file of a package was made from.
 * If the last build of the packages' own folders is of the same sources, they take a copy of that one instead.
 */
const { values, positionals } = parseArgs({
  options: { 'no-type-check': { type: 'boolean' }, sources: { type: 'string' } },
  allowPositionals: true,
});
const folder = resolve(positionals[0] ?? 'packages');
const isOwn = positionals.length === 0;
const fingerprint = await buildFingerprint('.');
if (isOwn) rmSync(LAST_BUILD, { force: true });
const sources: Record<string, string[]> = {};
const emitted = mkdtempSync(resolve('node_modules/.salvo-build-'));
try {
  // TypeScript's own output: the declarations, and modules without `using`, which Node 22.18 does not know yet.
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
  const places = ['--outDir', join(emitted, 'modules'), '--declarationDir', join(emitted, 'types')];
  const unchecked = values['no-type-check'] ? ['--noCheck'] : [];
  execFileSync(process.execPath, [...tsc, ...places, ...unchecked], { stdio: 'inherit' });
  for (const built of PACKAGES) Object.assign(sources, await buildPackage(built));
  // As a process of its own, in which the packages import each other's sources.
  const list = execFileSync(process.execPath, ['--conditions=salvo-source', 'scripts/list-commands.ts']);
  for (const [name, commands] of Object.entries(JSON.parse(list.toString('utf8'))))
    writeFileSync(join(folder, name, 'dist/commands.json'), JSON.stringify(commands));
  if (values.sources) writeFileSync(values.sources, JSON.stringify(sources));
} finally {
  rmSync(emitted, { recursive: true });
}
chmodSync(join(folder, 'salvo/dist/cli/main.js'), 0o755);
compileCalledFunctions(folder);
await buildPages(join(folder, 'salvo/dist/web'));
await buildArenaPages(join(folder, 'salvo-arena/dist/web'));
// A source that was changed meanwhile may be in one part of the build and not in another.
if (isOwn && (await buildFingerprint('.')) === fingerprint) {
  mkdirSync(dirname(LAST_BUILD), { recursive: true });
  writeFileSync(LAST_BUILD, JSON.stringify({ fingerprint, sources } satisfies LastBuild));
}

/** Which sources each file of its dist/ was made from. */
async function buildPackage(built: BuiltPackage): Promise<Record<string, string[]>> {
  const { name, entries } = built;
  const target = join(folder, name, 'dist');
  const modules = join(emitted, 'modules', name, 'src');
  // A file that was renamed must not live on in dist/.
  rmSync(target, { recursive: true, force: true });
  cpSync(join(emitted, 'types', name, 'src'), target, { recursive: true });
  // Hundreds of small modules take longer to find than to run, so they are joined.
  const isJoined = (id: string) => JOINED.some((joined) => id === joined || id.startsWith(`${joined}/`));
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([entry, file]) => [entry, join(modules, `${file}.js`)])),
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !isJoined(id),
    plugins: [selfContained(join(emitted, 'modules')), quickBuiltins(), withoutFacades()],
    preserveEntrySignatures: 'allow-extension',
  });
  const starts = name === 'salvo' ? { ...built.starts, ...kitsOfStarts(join(emitted, 'modules')) } : built.starts;
  const { output } = await bundle.write({
    dir: target,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // A file must have no module that its starts do not need, so the modules that it imports stay where they belong.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: joinedChunks(modules, { ...built, starts }), debugName: 'starts' }],
    },
  });
  await bundle.close();
  for (const example of built.examples) {
    // Without the results that running it may have left there.
    const filter = (source: string) => !/[\\/]\.salvo([\\/]|$)/.test(source);
    cpSync(`examples/${example}`, join(target, 'examples', example), { recursive: true, filter });
  }
  const chunks = output.filter((file) => file.type === 'chunk');
  const included = chunks.flatMap(({ moduleIds }) => moduleIds);
  for (const other of [...JOINED, ...(INCLUDED[name] ?? [])]) {
    const isPart = INCLUDED[name]?.includes(other) || included.some((id) => id.includes(`/node_modules/${other}/`));
    if (isPart) copyLicense(other, target);
  }
  return Object.fromEntries(
    chunks.map(({ fileName, moduleIds }) => [
      `${name}/dist/${fileName}`,
      moduleIds.map((id) => relative(join(emitted, 'modules'), id)),
    ]),
  );
}

function copyLicense(name: string, target: string): void {
  const license = readdirSync(`node_modules/${name}`).find((file) => /^licen[cs]e/i.test(file));
  if (license === undefined) throw new Error(`The package ${name} has no licence that dist/ could include.`);
  cpSync(`node_modules/${name}/${license}`, `${target}/licenses/${name.replace('/', '-')}.txt`);
}
