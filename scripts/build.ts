import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { build as buildPages } from 'vite';
import { joinedChunks } from './joined-chunks.ts';
import { quickBuiltins } from './quick-builtins.ts';
import { selfContained } from './self-contained.ts';
import { withoutFacades } from './without-facades.ts';

const ENTRIES = {
  ...Object.fromEntries(
    ['index', 'judge', 'vitest', 'node-test', 'cli/main'].map((name) => [name, `salvo/src/${name}`]),
  ),
  ...Object.fromEntries(
    globSync('packages/salvo/src/kit/*.ts').map((file) => [
      `kit/${basename(file, '.ts')}`,
      `salvo/src/kit/${basename(file, '.ts')}`,
    ]),
  ),
  ...{ arena: 'salvo-arena/src/index', match: 'salvo-arena/src/match' },
};
/** Programs of processes and threads that Salvo starts: each has to be a file of its own. */
const PROGRAMS = {
  'agent-process': 'salvo/src/adapters/agent/agent-process',
  'compare-thread': 'salvo/src/app/view/compare/compare-thread',
};
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
/** Other packages of which dist/ holds a part. */
const INCLUDED = ['web-tree-sitter', '@tree-sitter-grammars/tree-sitter-hcl'];

/**
 * Tests build into another folder than dist/, which they must not disturb, and leave types to `npm run types`. They
 * count sources with the file `--sources`: which sources each file of the package was made from. It is not shipped.
 */
const { values, positionals } = parseArgs({
  options: { 'no-type-check': { type: 'boolean' }, sources: { type: 'string' } },
  allowPositionals: true,
});
const target = resolve(positionals[0] ?? 'packages/salvo/dist');
const modules = `${target}/modules`;

// A file that was renamed must not live on in dist/.
rmSync(target, { recursive: true, force: true });
// TypeScript's own output: the declarations, and modules without `using`, which Node 22.18 does not know yet.
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
const places = ['--outDir', modules, '--declarationDir', target];
const unchecked = values['no-type-check'] ? ['--noCheck'] : [];
execFileSync(process.execPath, [...tsc, ...places, ...unchecked], { stdio: 'inherit' });

// Hundreds of small modules take longer to find than to run, so they are joined.
const entries = { ...ENTRIES, ...PROGRAMS };
const isJoined = (id: string) => JOINED.some((name) => id === name || id.startsWith(`${name}/`));
const bundle = await rolldown({
  input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `${modules}/${file}.js`])),
  platform: 'node',
  external: (id) => !/^[./]/.test(id) && !isJoined(id),
  plugins: [selfContained(modules), quickBuiltins(), withoutFacades()],
  preserveEntrySignatures: 'allow-extension',
});
const entryFiles = new Set(Object.values(entries).map((file) => `${file}.js`));
const { output } = await bundle.write({
  dir: target,
  format: 'esm',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // A file must have no module that its starts do not need, so the modules that it imports stay where they belong.
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: joinedChunks(modules, entryFiles), debugName: 'starts' }],
  },
});
await bundle.close();
if (values.sources) {
  const chunks = output.filter((file) => file.type === 'chunk');
  const sources = chunks.map((chunk) => [chunk.fileName, chunk.moduleIds.map((id) => relative(modules, id))]);
  writeFileSync(values.sources, JSON.stringify(Object.fromEntries(sources)));
}
rmSync(modules, { recursive: true });
for (const name of [...JOINED, ...INCLUDED]) {
  const license = readdirSync(`node_modules/${name}`).find((file) => /^licen[cs]e/i.test(file));
  if (license === undefined) throw new Error(`The package ${name} has no licence that dist/ could include.`);
  cpSync(`node_modules/${name}/${license}`, `${target}/licenses/${name.replace('/', '-')}.txt`);
}
chmodSync(`${target}/cli/main.js`, 0o755);

await buildPages({
  root: 'packages/salvo/web',
  logLevel: 'warn',
  build: { outDir: `${target}/web`, emptyOutDir: true },
});
