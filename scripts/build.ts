import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { build as buildPages } from 'vite';
import { selfContained } from './self-contained.ts';

const ENTRIES = ['index', 'judge', 'match', 'arena', 'vitest', 'node-test', 'cli/main'];
/** A program that Salvo starts: it has to be a file of its own. */
const AGENT_PROCESS = 'adapters/agent/agent-process';
/** Packages of which dist/ holds a part. */
const INCLUDED = ['web-tree-sitter', '@tree-sitter-grammars/tree-sitter-hcl'];

/** Another folder than dist/ may be given, by tests that must not disturb it. */
const target = resolve(process.argv[2] ?? 'dist');
const modules = `${target}/modules`;

// A file that was renamed must not live on in dist/.
rmSync(target, { recursive: true, force: true });
// TypeScript's own output: the declarations, and modules without `using`, which Node 22.18 does not know yet.
const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
execFileSync(process.execPath, [...tsc, '--outDir', modules, '--declarationDir', target], { stdio: 'inherit' });

// Hundreds of small modules take longer to find than to run, so our own are joined; those of others stay outside.
const bundle = await rolldown({
  input: {
    ...Object.fromEntries(ENTRIES.map((entry) => [entry, `${modules}/${entry}.js`])),
    'agent-process': `${modules}/${AGENT_PROCESS}.js`,
  },
  platform: 'node',
  external: (id) => !/^[./]/.test(id),
  plugins: [selfContained(modules)],
});
await bundle.write({ dir: target, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
await bundle.close();
rmSync(modules, { recursive: true });
for (const name of INCLUDED) cpSync(`node_modules/${name}/LICENSE`, `${target}/licenses/${name.replace('/', '-')}.txt`);
chmodSync(`${target}/cli/main.js`, 0o755);

await buildPages({ root: 'web', logLevel: 'warn', build: { outDir: `${target}/web`, emptyOutDir: true } });
