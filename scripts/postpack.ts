// After `npm pack` and `npm publish` in the folder of a package.
import { basename } from 'node:path';
import { removePackFiles } from './pack-files.ts';

removePackFiles(basename(process.cwd()), process.cwd());
