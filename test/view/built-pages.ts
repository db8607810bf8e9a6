import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['web', 'src'];

let built: Promise<URL> | undefined;

/** The viewer's pages, built from the current sources. Built once for these sources, whoever asks first. */
export function builtPages(): Promise<URL> {
  built ??= buildOnce();
  return built;
}

async function buildOnce(): Promise<URL> {
  const folder = join(tmpdir(), `salvo-pages-${await fingerprint()}`);
  if (!(await exists(join(folder, 'index.html')))) {
    // Another process may build the same: the first one to finish wins.
    const own = await mkdtemp(join(tmpdir(), 'salvo-pages-new-'));
    // In a process of its own: in this one, React would be built for development.
    const args = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--outDir', own, '--emptyOutDir'];
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { ...process.env, NODE_ENV: 'production' } });
    await rename(own, folder).catch(() => rm(own, { recursive: true }));
  }
  return pathToFileURL(`${folder}/`);
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) {
    const files = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    for (const path of paths.sort()) {
      const { size, mtimeMs } = await stat(path);
      hash.update(`${path} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
