import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

const MODULES = 'dist/modules';

// A file that was renamed must not live on in dist/.
rmSync('dist', { recursive: true, force: true });
// TypeScript's own output: the declarations, and modules without `using`, which Node 22.18 does not know yet.
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });

// Hundreds of small modules take longer to find than to run, so our own are joined; those of others stay outside.
const bundle = await rolldown({
  input: { index: `${MODULES}/index.js`, 'cli/main': `${MODULES}/cli/main.js` },
  platform: 'node',
  external: (id) => !/^[./]/.test(id),
});
await bundle.write({ dir: 'dist', format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
await bundle.close();
rmSync(MODULES, { recursive: true });
chmodSync('dist/cli/main.js', 0o755);
