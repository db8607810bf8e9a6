import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where a worker unpacks bundles: `SALVO_CACHE_DIR`, or the folder for caches of this user. */
export function bundleCacheFolder(env: Record<string, string | undefined>): string {
  return join(env.SALVO_CACHE_DIR || userCache(env), 'bundles');
}

function userCache(env: Record<string, string | undefined>): string {
  const home = env.HOME || homedir();
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'salvo');
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'salvo');
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'salvo', 'cache');
  return join(home, '.cache', 'salvo');
}

const HOUR_MS = 3_600_000;
/** A bundle that was opened since then may be in use by another worker. */
const IN_USE_MS = 24 * HOUR_MS;
const MOST_BYTES = 2 * 1024 ** 3;

/** Says that a folder is in use, now and every hour until the process ends. */
export async function keepInUse(folder: string): Promise<void> {
  if (used.has(folder)) return;
  used.add(folder);
  await touch(folder);
  setInterval(() => void touch(folder), HOUR_MS).unref();
}

const used = new Set<string>();

async function touch(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => {});
}

/** How the names of folders begin that are being written. */
export const UNFINISHED = '.unfinished-';

/** Removes what killed workers left unfinished, and the bundles that were not used for the longest time while all of them together are too large. */
export async function removeOldBundles(cache: string, mostBytes = MOST_BYTES): Promise<void> {
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const bundles = await Promise.all(
    (await readdir(cache)).map(async (name) => {
      const folder = join(cache, name);
      const stats = await stat(folder).catch(() => null);
      return { folder, name, usedMs: stats?.mtimeMs ?? 0, bytes: await bytesIn(folder) };
    }),
  );
  let total = bundles.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { folder, name, usedMs, bytes } of bundles.sort((a, b) => a.usedMs - b.usedMs)) {
    if (usedMs > Date.now() - IN_USE_MS) return;
    if (total <= mostBytes && !name.startsWith(UNFINISHED)) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    total -= bytes;
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isFile()) return 0;
      return (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
