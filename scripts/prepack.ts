// Before `npm pack` and `npm publish` in the folder of a package: builds it, and copies what it shares with the others.
import { execFileSync } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { addPackFiles } from './pack-files.ts';

const folder = process.cwd();
execFileSync(process.execPath, ['scripts/build.ts'], { cwd: resolve(import.meta.dirname, '..'), stdio: 'inherit' });
addPackFiles(basename(folder), folder);
