import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { errorCode } from '../packages/salvo/src/text/errors/salvo-error.ts';
import { buildFingerprint, lastBuild, PACKAGE_NAMES } from '../scripts/last-build.ts';
import { isAlive } from './is-alive.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Where the package finds its dependencies, as an installed one does. */
const BUILDS = join(ROOT, 'node_modules/.cache/salvo-built');
/** Builds of other sources: another test run may still use a young one. */
const KEPT_MS = 24 * 60 * 60 * 1000;

let built: Promise<string> | undefined;

/** A folder with the packages as users have them, built from the current sources by whoever asks first. */
function builtPackages(): Promise<string> {
  built ??= buildOnce();
  return built;
}

/** The folder of `salvo`, beside which the other packages are. */
export async function builtPackage(): Promise<string> {
  return join(await builtPackages(), 'node_modules/salvo');
}

/** The program that users start. */
export async function builtMain(): Promise<string> {
  return join(await builtPackage(), 'dist/cli/main.js');
}

/** The sources of each file of the packages, by its path from their folder. */
export async function builtSources(): Promise<Record<string, string[]>> {
  return JSON.parse(await readFile(join(await builtPackages(), 'sources.json'), 'utf8'));
}

/** The pages of the viewer. */
export async function builtPages(): Promise<URL> {
  return pathToFileURL(join(await builtPackage(), 'dist/web/'));
}

async function buildOnce(): Promise<string> {
  await mkdir(BUILDS, { recursive: true });
  for (;;) {
    const fingerprint = await buildFingerprint(ROOT);
    const folder = join(BUILDS, fingerprint);
    if (await exists(folder)) return folder;
    await using turn = await takeTurn(join(BUILDS, `${fingerprint}.lock`));
    if (turn === null) await sleep(500);
    else if (!(await exists(folder))) await build(folder, fingerprint);
  }
}

async function build(folder: string, fingerprint: string): Promise<void> {
  await removeOldBuilds();
  const own = await mkdtemp(join(BUILDS, 'new-'));
  try {
    // Before the build, which starts what it has built.
    for (const name of PACKAGE_NAMES) {
      await cp(join(ROOT, 'packages', name, 'package.json'), join(own, 'node_modules', name, 'package.json'));
    }
    await cp(join(ROOT, 'packages/salvo/bin'), join(own, 'node_modules/salvo/bin'), { recursive: true });
    if (!(await copyLastBuild(own, fingerprint))) await buildInto(own);
    // A source that was changed meanwhile may be in one part of the build and not in another.
    if ((await buildFingerprint(ROOT)) === fingerprint) await rename(own, folder);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** True if the packages' own folders have a build of these sources, such as that of `npm install`. */
async function copyLastBuild(own: string, fingerprint: string): Promise<boolean> {
  const last = await lastBuild(ROOT);
  if (last?.fingerprint !== fingerprint) return false;
  for (const name of PACKAGE_NAMES) {
    // Node's own `cp` takes ten times as long for thousands of small files.
    await promisify(execFile)('cp', ['-R', join(ROOT, 'packages', name, 'dist'), join(own, 'node_modules', name)]);
  }
  await writeFile(join(own, 'sources.json'), JSON.stringify(last.sources));
  // Another build may have begun to replace what is copied here.
  return (await lastBuild(ROOT))?.fingerprint === fingerprint;
}

async function buildInto(own: string): Promise<void> {
  // `npm run types` checks the types, and takes twice as long as all of this.
  const args = [
    'scripts/build.ts',
    join(own, 'node_modules'),
    '--no-type-check',
    '--sources',
    join(own, 'sources.json'),
  ];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { ...process.env, NODE_ENV: 'production' } });
}

/** Null while another process builds. */
async function takeTurn(lock: string): Promise<AsyncDisposable | null> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return { [Symbol.asyncDispose]: () => rm(lock, { force: true }) };
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (owner > 0 && !isAlive(owner)) await rm(lock, { force: true });
    return null;
  }
}

async function removeOldBuilds(): Promise<void> {
  for (const name of await readdir(BUILDS)) {
    const path = join(BUILDS, name);
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
