import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, rmSync } from 'node:fs';

// A file that was renamed must not live on in dist/.
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
// Prompts and the like are data, which the compiler leaves behind.
for (const file of globSync('src/**/*.{md,yaml}')) cpSync(file, file.replace(/^src/, 'dist'));
chmodSync('dist/cli/main.js', 0o755);
