import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';

// A file that was renamed must not live on in dist/.
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
// Prompts are data, which the compiler leaves behind.
cpSync('src/judge/prompts', 'dist/judge/prompts', { recursive: true });
chmodSync('dist/cli/main.js', 0o755);
