import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';

// A file that was renamed must not live on in dist/.
rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
chmodSync('dist/cli/main.js', 0o755);
